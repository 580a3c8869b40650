"""Dates and times as English, French, German and Chinese write them."""

import calendar
import random
from collections.abc import Sequence

MONTHS = (
    "January February March April May June July August September October November December",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
)
WEEKDAYS = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "一 二 三 四 五 六 日",
)
NTH = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
#: Hours from one to twelve.
HOURS = (
    "one two three four five six seven eight nine ten eleven twelve",
    "une_heure deux_h. trois_h. quatre_h. cinq_h. six_h. sept_h. huit_h. neuf_h. dix_h. onze_h. midi",
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "一点 两点 三点 四点 五点 六点 七点 八点 九点 十点 十一点 十二点",
)


def write_date(slot: str, draw: random.Random) -> tuple[str, str, str, str]:
    """Return a date (`date`), the same with a preposition (`on_date`), or a time with one (`at_time`)."""
    if slot == "at_time":
        return _in_words(draw) if draw.random() < 0.3 else _on_the_clock(draw)
    month, year = draw.randint(1, 12), draw.randint(1900, 2035)
    day = draw.randint(1, calendar.monthrange(year, month)[1])
    with_year = year if draw.random() < 0.5 else None
    weekday = draw.randrange(7) if slot == "on_date" and with_year is None and draw.random() < 0.3 else None
    english, french, german, chinese = _date(day, month, with_year, draw)
    if weekday is not None:
        names = _named(WEEKDAYS, weekday)
        return (
            f"on {names[0]}, {english}",
            f"le {names[1]} {french}",
            f"am {names[2]}, den {german}",
            f"{chinese}星期{names[3]}",
        )
    if slot == "on_date":
        return f"on {english}", f"le {french}", f"am {german}", chinese
    return english, f"le {french}", f"der {german}", chinese


def _date(day: int, month: int, year: int | None, draw: random.Random) -> tuple[str, str, str, str]:
    english, french, german = _named(MONTHS, month - 1)
    nth = f"{day}{NTH.get(day, 'th')}"
    ways = (f"{english} {day}", f"{day} {english}", f"{english} {nth}", f"the {nth} of {english}")
    way = draw.choice(ways)
    comma = ", " if way.startswith(english) else " "
    return (
        way if year is None else f"{way}{comma}{year}",
        f"{'1er' if day == 1 else day} {french}{f' {year}' if year else ''}",
        f"{day}. {german}{f' {year}' if year else ''}",
        f"{f'{year}年' if year else ''}{month}月{day}日",
    )


def _on_the_clock(draw: random.Random) -> tuple[str, str, str, str]:
    hour, minute = draw.randint(0, 23), draw.choice((0, 15, 30, 45, draw.randrange(60)))
    if draw.random() < 0.5:
        return f"at {hour}:{minute:02}", f"à {hour} h {minute:02}", f"um {hour}:{minute:02} Uhr", f"{hour}:{minute:02}"
    hour = draw.randint(1, 11)
    later = draw.random() < 0.5
    half, part, day = ("p.m.", "晚上" if hour > 5 else "下午", hour + 12) if later else ("a.m.", "早上", hour)
    if minute == 0:
        return f"at {hour} {half}", f"à {day} h", f"um {day} Uhr", f"{part}{hour}点"
    return (
        f"at {hour}:{minute:02} {half}",
        f"à {day} h {minute:02}",
        f"um {day}:{minute:02} Uhr",
        f"{part}{hour}:{minute:02}",
    )


def _in_words(draw: random.Random) -> tuple[str, str, str, str]:
    """Say a time in words: on the hour, half past, a quarter past or to; German counts the half to the next hour."""
    now = draw.randrange(12)
    english, french, german, chinese = _named(HOURS, now)
    next_english, next_french, next_german, _ = _named(HOURS, (now + 1) % 12)
    o_clock = german.removesuffix("s") if now == 0 else german
    return draw.choice(
        (
            (f"at {english} o'clock", f"à {french}", f"um {o_clock} Uhr", chinese),
            (f"at half past {english}", f"à {french} et demie", f"um halb {next_german}", f"{chinese}半"),
            (f"at a quarter past {english}", f"à {french} et quart", f"um Viertel nach {german}", f"{chinese}一刻"),
            (
                f"at a quarter to {next_english}",
                f"à {next_french} moins le quart",
                f"um Viertel vor {next_german}",
                f"{chinese}三刻",
            ),
        )
    )


def _named(table: Sequence[str], number: int) -> list[str]:
    """Return a word of each row of a table."""
    return [row.split()[number].replace("_h.", "_heures").replace("_", " ") for row in table]
