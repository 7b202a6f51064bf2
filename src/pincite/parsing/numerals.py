"""Numbers of lists and headings as a word processor prints them (ECMA-376, ST_NumberFormat)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

__all__ = ["numeral"]

GANADA: Final = "가나다라마바사아자차카타파하"
CHOSUNG: Final = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
STEMS: Final = "甲乙丙丁戊己庚辛壬癸"
BRANCHES: Final = "子丑寅卯辰巳午未申酉戌亥"
AIUEO: Final = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
IROHA: Final = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
RUSSIAN: Final = "абвгдежзиклмнопрстуфхцчшщыэюя"
THAI: Final = "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"
CHICAGO: Final = "*†‡§"

ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip

VIETNAMESE: Final = ("không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín")

ENGLISH: Final = [
    "Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
    "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
]  # fmt: skip
ENGLISH_TENS: Final = "Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety".split()  # noqa: SIM905
ENGLISH_ORDINALS: Final = {
    "One": "First", "Two": "Second", "Three": "Third", "Five": "Fifth", "Eight": "Eighth", "Nine": "Ninth",
    "Twelve": "Twelfth",
}  # fmt: skip


def numeral(number: int, form: str) -> str:
    """`number` in the named format; decimal where the format is unknown or cannot hold it."""
    write = FORMATS.get(form)
    return (write(number) if write and number > 0 else "") or ("" if form == "none" else str(number))


def repeated(letters: str) -> Callable[[int], str]:
    """Letters once through, then doubled: a … z, aa, bb, …"""
    return lambda number: (
        letters[(number - 1) % len(letters)] * ((number - 1) // len(letters) + 1) if number <= 30 * len(letters) else ""
    )


def cycled(letters: str) -> Callable[[int], str]:
    """Letters once through, then from the start again."""
    return lambda number: letters[(number - 1) % len(letters)]


def shifted(first: str, count: int) -> Callable[[int], str]:
    """Neighbours in Unicode from `first`, as far as there are `count`."""
    return lambda number: chr(ord(first) + number - 1) if number <= count else ""


def digits(ten: str) -> Callable[[int], str]:
    """Place by place with the ten given digits."""
    return lambda number: "".join(ten[int(digit)] for digit in str(number))


def roman(number: int) -> str:
    """Lower case Roman, as far as it is written with letters alone."""
    if number >= 4000:
        return ""
    parts = []
    for worth, letters in ROMAN:
        parts.append(letters * (number // worth))
        number %= worth
    return "".join(parts)


def counting(ten: str, units: str, one_before_ten: bool) -> Callable[[int], str]:
    """East Asian counting up to 9999: digit and unit, zeros between them where `ten` has a sign."""

    def write(number: int) -> str:
        if number > 9999:
            return ""
        parts: list[str] = []
        gap = False
        for place, digit in zip(range(3, -1, -1), f"{number:04d}", strict=True):
            if digit == "0":
                gap = bool(parts)
                continue
            if gap and ten[0] != " ":
                parts.append(ten[0])
            gap = False
            bare = digit == "1" and place > 0 and (not one_before_ten or (place == 1 and not parts))
            parts.append(("" if bare else ten[int(digit)]) + (units[place - 1] if place else ""))
        return "".join(parts)

    return write


def vietnamese(number: int) -> str:
    """Counting words up to 99."""
    if number < 10:
        return VIETNAMESE[number]
    if number > 99:
        return ""
    tens, ones = divmod(number, 10)
    head = "mười" if tens == 1 else f"{VIETNAMESE[tens]} mươi"
    if not ones:
        return head
    last = "lăm" if ones == 5 else "mốt" if ones == 1 and tens > 1 else VIETNAMESE[ones]
    return f"{head} {last}"


def cardinal(number: int) -> str:
    """English counting words up to 99."""
    if number < 20:
        return ENGLISH[number]
    if number > 99:
        return ""
    tens, ones = divmod(number, 10)
    return ENGLISH_TENS[tens - 2] + (f"-{ENGLISH[ones].lower()}" if ones else "")


def ordinal_word(number: int) -> str:
    """English ordinal words up to 99."""
    head, dash, last = cardinal(number).rpartition("-")
    last = last.capitalize()
    last = ENGLISH_ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th" if last else "")
    return head + dash + (last.lower() if dash else last)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, …"""
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def capital(write: Callable[[int], str]) -> Callable[[int], str]:
    """The same in upper case."""
    return lambda number: write(number).upper()


LATIN: Final = repeated("abcdefghijklmnopqrstuvwxyz")
CHINESE: Final = counting("零一二三四五六七八九", "十百千", True)
JAPANESE: Final = counting(" 一二三四五六七八九", "十百千", False)
KOREAN: Final = counting(" 일이삼사오육칠팔구", "십백천", False)
FULL_WIDTH: Final = digits("０１２３４５６７８９")
KOREAN_DIGITS: Final = digits("영일이삼사오육칠팔구")
HAN_DIGITS: Final = digits("〇一二三四五六七八九")

FORMATS: Final[Mapping[str, Callable[[int], str]]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02d}",
    "upperRoman": capital(roman),
    "lowerRoman": roman,
    "upperLetter": capital(LATIN),
    "lowerLetter": LATIN,
    "ordinal": ordinal,
    "cardinalText": cardinal,
    "ordinalText": ordinal_word,
    "hex": lambda number: f"{number:X}",
    "chicago": repeated(CHICAGO),
    "numberInDash": lambda number: f"- {number} -",
    "decimalFullWidth": FULL_WIDTH,
    "decimalFullWidth2": FULL_WIDTH,
    "decimalEnclosedCircle": shifted("①", 20),
    "decimalEnclosedCircleChinese": shifted("①", 20),
    "decimalEnclosedParen": shifted("⑴", 20),
    "decimalEnclosedFullstop": shifted("⒈", 20),
    "ganada": cycled(GANADA),
    "chosung": cycled(CHOSUNG),
    "koreanDigital": KOREAN_DIGITS,
    "koreanDigital2": HAN_DIGITS,
    "koreanCounting": KOREAN,
    "koreanLegal": KOREAN,
    "chineseCounting": CHINESE,
    "chineseCountingThousand": CHINESE,
    "taiwaneseCounting": CHINESE,
    "taiwaneseCountingThousand": CHINESE,
    "taiwaneseDigital": HAN_DIGITS,
    "ideographDigital": HAN_DIGITS,
    "japaneseDigitalTenThousand": HAN_DIGITS,
    "japaneseCounting": JAPANESE,
    "ideographTraditional": cycled(STEMS),
    "ideographZodiac": cycled(BRANCHES),
    "ideographEnclosedCircle": shifted("㊀", 10),
    "aiueoFullWidth": cycled(AIUEO),
    "aiueo": cycled(AIUEO),
    "irohaFullWidth": cycled(IROHA),
    "iroha": cycled(IROHA),
    "russianLower": repeated(RUSSIAN),
    "russianUpper": capital(repeated(RUSSIAN)),
    "thaiLetters": repeated(THAI),
    "thaiNumbers": digits("๐๑๒๓๔๕๖๗๘๙"),
    "hindiNumbers": digits("०१२३४५६७८९"),
    "vietnameseCounting": vietnamese,
}
