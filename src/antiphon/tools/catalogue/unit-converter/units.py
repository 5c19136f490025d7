"""Units by dimension: the exact factor to the base unit, and their names."""

from __future__ import annotations

from fractions import Fraction
from math import pi

F = Fraction
_INCH = F("0.0254")
_FOOT = F("0.3048")
_MILE = F("1609.344")
_POUND = F("0.45359237")
_GALLON = F("3.785411784")
_IMPERIAL_GALLON = F("4.54609")
_GRAVITY = F("9.80665")

# symbol: (factor, other names); symbols are matched as written first, then without case.
UNITS: dict[str, dict[str, tuple[Fraction, str]]] = {
    "length": {
        "m": (F(1), "meter metre meters metres"),
        "km": (F(1000), "kilometer kilometre kilometers kilometres"),
        "cm": (F(1, 100), "centimeter centimetre centimeters centimetres"),
        "mm": (F(1, 1000), "millimeter millimetre millimeters millimetres"),
        "um": (F(1, 10**6), "µm micrometer micrometre micron microns micrometers micrometres"),
        "nm": (F(1, 10**9), "nanometer nanometre nanometers nanometres"),
        "in": (_INCH, "inch inches"),
        "ft": (_FOOT, "foot feet"),
        "yd": (_FOOT * 3, "yard yards"),
        "mi": (_MILE, "mile miles"),
        "nmi": (F(1852), "nautical_mile nautical_miles"),
        "ly": (F(9460730472580800), "light_year light_years lightyear lightyears"),
        "au": (F(149597870700), "astronomical_unit astronomical_units"),
    },
    "mass": {
        "kg": (F(1), "kilogram kilograms kilo kilos"),
        "g": (F(1, 1000), "gram grams"),
        "mg": (F(1, 10**6), "milligram milligrams"),
        "ug": (F(1, 10**9), "µg microgram micrograms"),
        "t": (F(1000), "tonne tonnes metric_ton metric_tons"),
        "lb": (_POUND, "lbs pound pounds"),
        "oz": (_POUND / 16, "ounce ounces"),
        "st": (_POUND * 14, "stone stones"),
        "us_ton": (_POUND * 2000, "short_ton short_tons us_tons"),
        "ct": (F(1, 5000), "carat carats"),
    },
    "volume": {
        "l": (F(1), "L liter litre liters litres"),
        "ml": (F(1, 1000), "mL milliliter millilitre milliliters millilitres cm3 cc"),
        "cl": (F(1, 100), "cL centiliter centilitre centiliters centilitres"),
        "dl": (F(1, 10), "dL deciliter decilitre deciliters decilitres"),
        "m3": (F(1000), "m³ cubic_meter cubic_metre cubic_meters cubic_metres"),
        "gal": (_GALLON, "gallon gallons us_gallon us_gallons"),
        "qt": (_GALLON / 4, "quart quarts"),
        "pt": (_GALLON / 8, "pint pints us_pint us_pints"),
        "cup": (_GALLON / 16, "cups"),
        "fl_oz": (_GALLON / 128, "floz fluid_ounce fluid_ounces"),
        "tbsp": (_GALLON / 256, "tablespoon tablespoons"),
        "tsp": (_GALLON / 768, "teaspoon teaspoons"),
        "imp_gal": (_IMPERIAL_GALLON, "imperial_gallon imperial_gallons uk_gallon uk_gallons"),
        "imp_pt": (_IMPERIAL_GALLON / 8, "imperial_pint imperial_pints uk_pint uk_pints"),
        "ft3": (_FOOT**3 * 1000, "ft³ cubic_foot cubic_feet"),
        "in3": (_INCH**3 * 1000, "in³ cubic_inch cubic_inches"),
    },
    "area": {
        "m2": (F(1), "m² sqm square_meter square_metre square_meters square_metres"),
        "km2": (F(10**6), "km² square_kilometer square_kilometre square_kilometers"),
        "cm2": (F(1, 10**4), "cm² square_centimeter square_centimetre square_centimeters"),
        "ha": (F(10**4), "hectare hectares"),
        "acre": (_FOOT**2 * 43560, "acres ac"),
        "ft2": (_FOOT**2, "ft² sqft square_foot square_feet"),
        "in2": (_INCH**2, "in² square_inch square_inches"),
        "yd2": (_FOOT**2 * 9, "yd² square_yard square_yards"),
        "mi2": (_MILE**2, "mi² square_mile square_miles"),
    },
    "speed": {
        "m/s": (F(1), "mps meters_per_second metres_per_second"),
        "km/h": (F(5, 18), "kmh kph kilometers_per_hour kilometres_per_hour"),
        "mph": (_MILE / 3600, "mi/h miles_per_hour"),
        "kn": (F(1852, 3600), "knot knots kt"),
        "ft/s": (_FOOT, "fps feet_per_second"),
    },
    "time": {
        "s": (F(1), "sec second seconds secs"),
        "ms": (F(1, 1000), "millisecond milliseconds"),
        "us": (F(1, 10**6), "µs microsecond microseconds"),
        "ns": (F(1, 10**9), "nanosecond nanoseconds"),
        "min": (F(60), "minute minutes mins"),
        "h": (F(3600), "hr hour hours hrs"),
        "d": (F(86400), "day days"),
        "wk": (F(604800), "week weeks"),
        "yr": (F(31557600), "year years julian_year"),
    },
    "data": {
        "B": (F(8), "byte bytes"),
        "bit": (F(1), "b bits"),
        "kB": (F(8 * 10**3), "KB kilobyte kilobytes"),
        "MB": (F(8 * 10**6), "megabyte megabytes"),
        "GB": (F(8 * 10**9), "gigabyte gigabytes"),
        "TB": (F(8 * 10**12), "terabyte terabytes"),
        "PB": (F(8 * 10**15), "petabyte petabytes"),
        "KiB": (F(8 * 2**10), "kibibyte kibibytes"),
        "MiB": (F(8 * 2**20), "mebibyte mebibytes"),
        "GiB": (F(8 * 2**30), "gibibyte gibibytes"),
        "TiB": (F(8 * 2**40), "tebibyte tebibytes"),
        "kbit": (F(10**3), "Kb kilobit kilobits"),
        "Mbit": (F(10**6), "Mb megabit megabits"),
        "Gbit": (F(10**9), "Gb gigabit gigabits"),
    },
    "energy": {
        "J": (F(1), "joule joules"),
        "kJ": (F(1000), "kilojoule kilojoules"),
        "cal": (F("4.184"), "calorie calories"),
        "kcal": (F(4184), "kilocalorie kilocalories"),
        "Wh": (F(3600), "watt_hour watt_hours"),
        "kWh": (F(3600000), "kilowatt_hour kilowatt_hours"),
        "BTU": (F("1055.05585262"), "btus"),
        "eV": (F("1.602176634") / 10**19, "electronvolt electronvolts"),
    },
    "power": {
        "W": (F(1), "watt watts"),
        "kW": (F(1000), "kilowatt kilowatts"),
        "MW": (F(10**6), "megawatt megawatts"),
        "mW": (F(1, 1000), "milliwatt milliwatts"),
        "hp": (_POUND * _GRAVITY * _FOOT * 550, "horsepower"),
        "PS": (_GRAVITY * 75, "metric_horsepower"),
    },
    "pressure": {
        "Pa": (F(1), "pascal pascals"),
        "hPa": (F(100), "hectopascal hectopascals mbar millibar millibars"),
        "kPa": (F(1000), "kilopascal kilopascals"),
        "bar": (F(10**5), "bars"),
        "atm": (F(101325), "atmosphere atmospheres"),
        "psi": (_POUND * _GRAVITY / _INCH**2, "pounds_per_square_inch"),
        "mmHg": (F("133.322387415"), "millimeters_of_mercury millimetres_of_mercury"),
    },
    "angle": {
        "deg": (F(1), "° degree degrees"),
        "rad": (F(180) / F(pi), "radian radians"),
        "grad": (F(9, 10), "gon gradian gradians"),
        "turn": (F(360), "turns revolution revolutions"),
        "arcmin": (F(1, 60), "arcminute arcminutes"),
        "arcsec": (F(1, 3600), "arcsecond arcseconds"),
    },
}
# symbol: (factor, offset, other names): kelvin = (value + offset) * factor
TEMPERATURES: dict[str, tuple[Fraction, Fraction, str]] = {
    "K": (F(1), F(0), "kelvin kelvins"),
    "C": (F(1), F("273.15"), "°C celsius centigrade degrees_celsius"),
    "F": (F(5, 9), F("459.67"), "°F fahrenheit degrees_fahrenheit"),
    "R": (F(5, 9), F(0), "rankine"),
}
