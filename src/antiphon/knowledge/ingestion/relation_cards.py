"""Relation cards: ways to say a relation, and what to ask about it."""

from __future__ import annotations

from dataclasses import dataclass

# What stands for a name while a sentence is compared with the cards: the first of its type, and
# the second where both are of one type.
STAND_INS = {
    "person": ("Alex", "Robin"),
    "org": ("Acme", "Globex"),
    "place": ("Springfield", "Rivertown"),
    "project": ("project Zephyr", "project Orchid"),
}


@dataclass(frozen=True, slots=True)
class RelationCard:
    """A relation from A to B. `question` names one of them, and the other is its answer."""

    relation: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    question: str
    said: tuple[str, ...]


CARDS = (
    RelationCard(
        "leads", ("person",), ("org", "project"), "Who leads B?",
        ("A leads B.", "A is in charge of B.", "A is the head of B.", "B is run by A.",
         "A is responsible for B.", "A manages the business of B.", "At the top of B is A.",
         "A became the director of B last year.", "B is under the leadership of A.",
         "A has taken over the management of B.", "A has been the boss of B since 2015.",
         "A makes the decisions at B.", "The job of leading B is done by A.",
         "B is guided by A.", "A holds the highest post at B.", "With A in command, B grew.",
         "A is the manager of B.", "A steers B through hard times."),
    ),
    RelationCard(
        "founded", ("person",), ("org", "project"), "Who founded B?",
        ("A founded B.", "A started B.", "B was created by A.", "A is the founder of B.",
         "A brought B into being.", "A set up B in 1990.", "B goes back to A, who began it.",
         "A opened B with two friends.", "It was A who first had the idea of B and built it up.",
         "B would not exist without A.", "A launched B from a garage.",
         "B was called into existence by A."),
    ),
    RelationCard(
        "works_for", ("person",), ("org",), "Who works at B?",
        ("A works for B.", "A is employed by B.", "A has a job at B.",
         "A is a member of staff at B.", "B employs A.", "A is paid by B.",
         "A gets a salary from B.", "A is an engineer at B.", "A joined B as a clerk.",
         "A has worked as a cook at B for ten years.", "Among the employees of B is A.",
         "A does the accounts at B.", "A goes to work at B every day.",
         "A is on the team of B.", "B hired A."),
    ),
    RelationCard(
        "works_on", ("person",), ("project",), "Who works on B?",
        ("A works on B.", "A is a member of B.", "A contributes to B.", "A is busy with B.",
         "A writes the code of B.", "A spends the day on B."),
    ),
    RelationCard(
        "based_in", ("org",), ("place",), "Where is A?",
        ("A is based in B.", "A has its office in B.", "A is located in B.", "A stands near B.",
         "A has its home in B.", "The building of A is in the centre of B.",
         "The address of A is in B.", "A runs its business from a house in B.",
         "To get to A, go to B.", "A is a company from B.", "You find A in a street in B.",
         "A has its factory by the river in B.", "The headquarters of A are in B.",
         "A moved its offices to B."),
    ),
    RelationCard(
        "part_of", ("org",), ("org",), "What is A part of?",
        ("A is part of B.", "A is a division of B.", "A is one of the companies of B.",
         "A is a subsidiary of B.", "A is a branch of B.", "B consists of A and others.",
         "A is a department within B.", "B is the parent company of A.",
         "A is a unit inside B.", "A works under the roof of B."),
    ),
    RelationCard(
        "owns", ("org", "person"), ("org",), "Who owns B?",
        ("A owns B.", "B belongs to A.", "B is owned by A.", "A has the shares of B.",
         "B is in the possession of A.", "A is the owner of B.", "A holds most of the shares of B.",
         "B has been the property of A since 2010.", "A controls B as its owner.",
         "B is in the hands of A."),
    ),
    RelationCard(
        "supplies", ("org",), ("org",), "Who supplies B?",
        ("A supplies B.", "A delivers goods to B.", "B buys its materials from A.",
         "A provides parts for B.", "B gets its supplies from A.", "A is the supplier of B.",
         "The wood of B comes from A.", "B orders its milk from A.",
         "A brings its products to the shops of B.", "B depends on A for its materials.",
         "A ships the parts to B.", "A sells its goods to B."),
    ),
)  # fmt: skip

# What is said of two names without any of these relations between them.
NOTHING = (
    "A met B.", "A visited B.", "A wrote about B.", "A wrote to B.", "A refused to join B.",
    "A did not want to lead B.", "A no longer works for B.", "A no longer leads B.",
    "A has never been to B.", "A left B.", "A likes B.", "A sued B.", "A argued with B.",
    "A and B do the same.", "A talked to B.", "A no longer supplies B.", "A competes with B.",
    "A did something for B.", "A knows the director of B.", "A bought something from B.",
    "A wants to work for B.", "A hopes for a job at B.", "A did not buy B.",
    "A does not belong to B.", "A happened to be in B.", "A is larger than B.",
    "A is older than B.", "A came to B.", "A gave a present to B.", "A complained about B.",
    "A passed by B.", "A read a book about B.", "A heard of B.", "A is a fan of B.",
    "A has something that was made by B.", "A was not hired by B.", "A was not made head of B.",
    "A resigned from B.", "A sold its share of B.", "A said no to B.", "A broke with B.",
    "A stopped working with B.", "A saw B from the window.", "A had an accident in B.",
    "A published a picture of B.", "A is next to B.", "A and B share a building.",
    "A collects things by B.", "A praised B.", "A thanked B.", "A lost to B.",
    "A waited in front of B.", "A was a guest of B.", "A held a speech at B.",
    "A planned a trip to B.", "A asked B for help.", "A might take over B.",
    "A turned B down.", "A is not part of B.", "A never founded B.", "A remembers B.",
)  # fmt: skip
