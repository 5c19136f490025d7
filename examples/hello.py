"""Hello world: a tool and a conversation."""

from antiphon import Antiphon, tool


@tool(side_effects="read_only")
def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"It is sunny in {city}."


print(Antiphon(tools=[weather]).run_sync("What's the weather in Oslo?").text)
