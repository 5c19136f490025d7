"""The vocabulary of pictures: what can be drawn, by the words for it, and where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from antiphon.workspace.pictures import buildings, creatures, nature, things
from antiphon.workspace.pictures.canvas import Canvas

Place = Literal["sky", "far", "ground", "water", "near"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject that can be drawn. `height` is a share of the picture's height for one that is
    not the main subject."""

    name: str
    draw: Callable[[Canvas, str], None] | Callable[[Canvas], None]
    place: Place
    height: float
    words: tuple[str, ...] = ()


def _subject(
    name: str, draw: Callable[..., None], place: Place, height: float, words: str = ""
) -> Subject:
    return Subject(name, draw, place, height, (name, *words.split()))


SUBJECTS = (
    _subject("sun", nature.sun, "sky", 0.2, "sunrise sunset"),
    _subject("moon", nature.moon, "sky", 0.16, "moonlight"),
    _subject("star", nature.star, "sky", 0.06, "starry"),
    _subject("cloud", nature.cloud, "sky", 0.13),
    _subject("rainbow", nature.rainbow, "sky", 0.4),
    _subject("bird", creatures.bird, "sky", 0.07, "seagull gull swallow dove"),
    _subject("butterfly", creatures.butterfly, "sky", 0.12, "butterflies"),
    _subject("balloon", things.balloon, "sky", 0.26),
    _subject("airplane", things.airplane, "sky", 0.16, "plane aeroplane aircraft jet"),
    _subject("rocket", things.rocket, "sky", 0.34, "spaceship"),
    _subject("planet", nature.planet, "sky", 0.3, "saturn"),
    _subject("mountain", nature.mountain, "far", 0.42, "peak alps"),
    _subject("hill", nature.hill, "far", 0.2, "meadow field"),
    _subject("city", buildings.city, "far", 0.36, "town skyline skyscraper cities"),
    _subject("forest", nature.forest, "far", 0.34, "wood woods"),
    _subject("island", nature.island, "water", 0.3, "palm"),
    _subject("cliff", nature.cliff, "ground", 0.2, "rock rocks"),
    _subject("lighthouse", buildings.lighthouse, "ground", 0.5),
    _subject("house", buildings.house, "ground", 0.34, "cottage home cabin hut barn"),
    _subject("castle", buildings.castle, "ground", 0.42, "fortress palace"),
    _subject("tower", buildings.tower, "ground", 0.46),
    _subject("church", buildings.church, "ground", 0.42, "chapel"),
    _subject("windmill", buildings.windmill, "ground", 0.42, "mill"),
    _subject("bridge", buildings.bridge, "ground", 0.3),
    _subject("tree", nature.tree, "ground", 0.36, "oak"),
    _subject("pine", nature.pine, "ground", 0.36, "fir spruce"),
    _subject("boat", things.boat, "water", 0.3, "ship sailboat sailing yacht"),
    _subject("fish", creatures.fish, "water", 0.14, "fishes goldfish"),
    _subject("cat", creatures.cat, "near", 0.24, "kitten"),
    _subject("dog", creatures.dog, "near", 0.24, "puppy"),
    _subject("horse", creatures.horse, "near", 0.32, "pony"),
    _subject("person", creatures.person, "near", 0.3, "man woman child girl boy people sailor"),
    _subject("snowman", creatures.snowman, "near", 0.32, "snowmen"),
    _subject("robot", creatures.robot, "near", 0.32, "android"),
    _subject("flower", nature.flower, "near", 0.22, "rose tulip daisy blossom"),
    _subject("fire", nature.fire, "near", 0.24, "campfire bonfire"),
    _subject("car", things.car, "near", 0.22, "automobile taxi"),
    _subject("bus", things.bus, "near", 0.24, "coach"),
    _subject("train", things.train, "near", 0.24, "locomotive tram"),
    _subject("bicycle", things.bicycle, "near", 0.24, "bike cycle"),
    _subject("cup", things.cup, "near", 0.24, "mug coffee tea"),
    _subject("book", things.book, "near", 0.2),
    _subject("clock", things.clock, "near", 0.26, "watch"),
    _subject("umbrella", things.umbrella, "near", 0.28, "parasol"),
    _subject("apple", things.apple, "near", 0.22, "fruit"),
    _subject("cake", things.cake, "near", 0.24),
    _subject("heart", creatures.heart, "near", 0.3, "love"),
)
_WATER_WORDS = "sea ocean lake river water waves wave bay harbour harbor coast shore beach"
WATER = frozenset(_WATER_WORDS.split())

COLOURS = {
    "red": "#c93a36", "orange": "#e8892c", "yellow": "#efc53b", "green": "#3f8d45",
    "blue": "#2f6fb3", "purple": "#7a4fa8", "violet": "#7a4fa8", "pink": "#e07aa0",
    "brown": "#7d5435", "black": "#2b2e34", "white": "#f7f7f4", "grey": "#8d939b",
    "gray": "#8d939b", "golden": "#d9a92f", "gold": "#d9a92f", "silver": "#bcc3cb",
    "turquoise": "#3aa7a3", "scarlet": "#b8252b",
}  # fmt: skip
COUNTS = {
    "two": 2, "both": 2, "pair": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "several": 4, "some": 3, "many": 7, "few": 3,
}  # fmt: skip
# Top and bottom of the sky, and what lies over everything.
TIMES = {
    "day": ("#6fb1e4", "#d6ecf7"),
    "dawn": ("#7f8fc4", "#f7c9a2"),
    "sunset": ("#5a4a86", "#f49a5c"),
    "night": ("#0f1836", "#2c3a66"),
}
TIME_WORDS = {
    "dawn": "dawn", "sunrise": "dawn", "morning": "dawn", "daybreak": "dawn", "noon": "day",
    "midday": "day", "day": "day", "sunset": "sunset", "dusk": "sunset", "evening": "sunset",
    "twilight": "sunset", "night": "night", "midnight": "night", "moonlight": "night",
    "starry": "night", "space": "night",
}  # fmt: skip
WEATHER_WORDS = {
    "rain": "rain", "rainy": "rain", "raining": "rain", "storm": "rain", "stormy": "rain",
    "snow": "snow", "snowy": "snow", "snowing": "snow", "winter": "snow", "fog": "fog",
    "foggy": "fog", "mist": "fog", "misty": "fog", "cloudy": "cloud",
}  # fmt: skip
