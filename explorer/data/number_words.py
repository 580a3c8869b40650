"""Whole numbers as they are spoken, in English and in Chinese."""

ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
DIGITS = "零一二三四五六七八九"
PLACES = ("", "十", "百", "千")
#: One more than the largest number that is spoken here.
BEYOND = 1_000_000


def english(number: int) -> str:
    """Return a number below a million: "three hundred and five".

    Raises:
        ValueError: it is negative or too large.
    """
    _check(number)
    thousands, rest = divmod(number, 1000)
    words = [*_hundreds(thousands), "thousand"] if thousands else []
    if thousands and 0 < rest < 100:
        words.append("and")
    return " ".join([*words, *(_hundreds(rest) if rest or not thousands else [])])


def chinese(number: int) -> str:
    """Return a number below a million: 三百零五.

    Raises:
        ValueError: it is negative or too large.
    """
    _check(number)
    if number == 0:
        return DIGITS[0]
    myriads, rest = divmod(number, 10_000)
    text = f"{_below_myriad(myriads)}万" if myriads else ""
    if rest:
        text += (DIGITS[0] if myriads and rest < 1000 else "") + _below_myriad(rest)
    return text.removeprefix("一") if text.startswith("一十") else text


def _hundreds(number: int) -> list[str]:
    hundreds, rest = divmod(number, 100)
    words = [ONES[hundreds], "hundred"] if hundreds else []
    if hundreds and rest:
        words.append("and")
    if rest >= len(ONES):
        words.append(TENS[rest // 10 - 2])
        rest %= 10
        return [*words, ONES[rest]] if rest else words
    return [*words, ONES[rest]] if rest or not hundreds else words


def _below_myriad(number: int) -> str:
    """Write 1…9999 in words, with one 零 for every run of noughts that something follows."""
    text, skipped = "", False
    for position in range(3, -1, -1):
        digit = number // 10**position % 10
        if digit == 0:
            skipped = bool(text)
            continue
        text += (DIGITS[0] if skipped else "") + DIGITS[digit] + PLACES[position]
        skipped = False
    return text


def _check(number: int) -> None:
    if not 0 <= number < BEYOND:
        raise ValueError(f"{number} is not in 0…{BEYOND - 1:,}")
