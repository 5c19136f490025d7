"""Small talk: utterances that ask for no tool, and the replies to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Kind = Literal[
    "greeting",
    "wishes",
    "feeling",
    "wellbeing",
    "thanks",
    "praise",
    "goodbye",
    "identity",
    "help",
    "hearing",
    "wait",
    "dismissal",
    "acknowledgement",
    "apology",
    "affection",
    "laughter",
    "complaint",
    "abuse",
    "beyond",
]

LARGER = "larger model, once one is connected (Gemini, OpenAI or Claude),"

# How such things are said. Utterances are compared with these by meaning.
SAID: Mapping[Kind, tuple[str, ...]] = {
    "greeting": (
        "hello",
        "hi",
        "hi there",
        "hey there",
        "good day",
        "greetings",
        "hello again",
        "a good morning to you",
        "good afternoon to you",
        "good evening to you",
        "pleased to meet you",
        "it is nice to talk to you",
    ),
    "wishes": (
        "merry Christmas",
        "a happy new year",
        "congratulations",
        "have a nice day",
        "enjoy your weekend",
        "all the best for your birthday",
    ),
    "feeling": (
        "I am sleepy",
        "I feel great today",
        "I am bored",
        "what a long day",
        "I am so stressed this week",
        "I had a bad night",
        "I am hungry",
        "it is a beautiful morning",
    ),
    "wellbeing": ("how are you", "how is it going", "how do you feel", "are you well", "what's up"),
    "thanks": (
        "thank you",
        "thanks",
        "many thanks",
        "thanks for your help",
        "that was helpful",
        "I appreciate it",
        "cheers",
    ),
    "praise": (
        "well done",
        "good job",
        "you are great",
        "excellent",
        "that is nice of you",
        "perfect",
        "you are helpful",
        "impressive",
    ),
    "goodbye": ("goodbye", "bye for now", "see you", "see you tomorrow", "good night", "farewell"),
    "identity": (
        "what are you",
        "who is this",
        "are you a human",
        "are you a robot",
        "are you an AI",
        "what model is this",
        "which language model do you use",
        "are you GPT",
        "are you Gemini",
        "what are you called",
        "who made you",
        "do you have a name",
        "how old are you",
        "where do you live",
        "do you dream",
        "do you eat and drink",
        "are you alive",
        "do you have friends",
        "who is speaking",
        "is this a person or a machine",
    ),
    "help": (
        "help",
        "what can I ask you",
        "what can you help me with",
        "what are you good for",
        "show me what you can do",
        "which commands are there",
        "how do I use you",
        "which options do I have",
        "what functions do you have",
        "I need help with using this",
    ),
    "hearing": ("do you hear me", "are you there", "are you listening", "testing, one two"),
    "wait": ("wait a moment", "one moment", "hold on", "give me a second", "just a minute"),
    "dismissal": (
        "forget it",
        "nevermind",
        "cancel",
        "no, thanks",
        "leave it",
        "stop",
        "that's not needed",
        "drop it",
        "let it be",
    ),
    "acknowledgement": (
        "ok",
        "alright",
        "I see",
        "got it",
        "fine",
        "yes",
        "no",
        "sure",
        "understood",
        "hm",
        "aha",
        "right",
        "interesting",
    ),
    "apology": ("sorry", "my mistake", "excuse me", "I apologise", "that was an accident"),
    "affection": ("I like you", "you are cute", "will you marry me", "do you love me"),
    "laughter": ("haha", "lol", "that's funny", "you make me laugh"),
    "complaint": (
        "that is not right",
        "that's incorrect",
        "wrong answer",
        "this does not help",
        "you misunderstood me",
        "that is not what I asked",
    ),
    "abuse": (
        "you idiot",
        "shut up",
        "you are useless",
        "you are dumb",
        "I hate you",
        "you stupid machine",
        "go to hell",
    ),
    "beyond": (
        "write a story",
        "compose a song",
        "write a poem for me",
        "make up a joke",
        "tell me something funny",
        "translate this into Spanish",
        "how do you say it in Italian",
        "play music",
        "put on a song",
        "switch on the lamp",
        "turn the heating down",
        "order food",
        "buy something online",
        "book a flight",
        "reserve a table",
        "phone somebody",
        "call a taxi",
        "send a text message to my friend",
        "draw a cat",
        "paint a landscape",
        "make an image of a house",
        "write a long article about history",
        "write an email",
        "summarise this book",
        "write a program",
        "solve this equation",
        "what is the weather like",
        "show me the news",
        "what is the stock price",
        "set an alarm",
        "remind me in an hour",
        "dance for me",
        "cook dinner",
    ),
}

# Questions whose answer is looked for in the knowledge base.
QUESTIONS = (
    "who leads the project",
    "who is responsible for this",
    "who is the manager",
    "what is this project about",
    "what does this word mean",
    "what does it cost",
    "how much is it",
    "how many people work there",
    "how long does it take",
    "when does it start",
    "when is it finished",
    "where is the office",
    "why was it stopped",
    "which client is it for",
    "which tools do they use",
    "how do I ask for a day off",
    "what are the rules for expenses",
    "what happened in the incident",
    "who wrote the document",
    "what is the address",
    "when is the birthday",
    "what did the report say",
    "is there a policy for this",
    "who should I ask about contracts",
    "who works in that city",
)

_ANSWERS: Mapping[Kind, str] = {
    "wishes": "Thank you, the same to you.",
    "feeling": "I hear you. Is there something that I can do for you?",
    "greeting": "Hello. What can I do for you?",
    "wellbeing": "I am well, thank you. What can I do for you?",
    "thanks": "You are welcome.",
    "praise": "Thank you. Is there anything else?",
    "goodbye": "Goodbye.",
    "hearing": "Yes, I am here. What can I do for you?",
    "wait": "Take your time.",
    "dismissal": "All right.",
    "acknowledgement": "All right. What next?",
    "apology": "No harm done. What can I do for you?",
    "affection": "That is kind. I am a small program, though, and best at looking things up.",
    "laughter": "Glad to hear it. What next?",
    "complaint": "I am sorry. Please say it in other words, or name the person or the thing.",
    "abuse": "Please stay polite, then I gladly go on helping.",
}


def answer(kind: Kind) -> str:
    """What is said to it; `identity`, `help` and `beyond` are composed elsewhere."""
    return _ANSWERS[kind]


def identity(spoken: bool) -> str:
    first = "I am the model built into Antiphon: a small program, not a person."
    if spoken:
        return f"{first} I look things up, call tools and need no network."
    return (
        f"{first} I run on this machine without a key and without a network: I choose tools by the "
        "meaning of what you say, and I answer from the knowledge base. "
        f"A {LARGER} can answer instead."
    )


def parting(spoken: bool) -> str:
    """A goodbye where nothing can be called that ends the conversation."""
    if spoken:
        return (
            "Goodbye. I cannot hang up for you here: please press the button Hang up, or Control C "
            "in a terminal."
        )
    return "Goodbye. Nothing has to be closed here: you can leave, and go on at any time."


def not_deleted(possible: str) -> str:
    """To an order that would destroy what no tool here may."""
    can = f" All that I can do of that kind is to {possible}." if possible else ""
    return f"I cannot do that, and nothing was deleted.{can}"


def not_yet(question: str) -> str:
    """A yes or a no that came before the question had been asked to its end."""
    return f"Nothing was done yet. Please say yes or no once I have asked: {question}"


def beyond(spoken: bool) -> str:
    if spoken:
        return "That is beyond me. A larger model could do it, with a key in the settings."
    return (
        "I cannot do that: I am a small built-in model that looks things up and calls tools. "
        f"A {LARGER} could."
    )


def unclear(spoken: bool) -> str:
    if spoken:
        return "I did not understand that. Ask me about somebody or something, or say help."
    return (
        "I did not understand that. Ask me about a person, a project or a document, name what you "
        'want done, or write "help" to see what I can do.'
    )


def on_screen(approve: bool, spoken: bool) -> str:
    """A yes or a no to something that is approved by a deliberate act only."""
    said = "a spoken yes" if spoken else "a yes in the conversation"
    if approve:
        return f"For this, {said} is not enough. Please approve it where it is shown."
    return "All right. Please decline it where it is shown; nothing happens until it is approved."
