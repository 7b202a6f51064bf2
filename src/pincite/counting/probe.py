"""Texts on which a fast counter must agree with the reference before it is trusted.

They hold what has set tokenizer libraries apart: many scripts, composed and decomposed marks,
words longer than a WordPiece model reads, unknown characters, control characters, every kind of
white space, emoji with joiners, numbers, code, and the tokenizer's own special tokens in the text.
Beside the written ones, words are drawn by a fixed rule from every block of the common scripts.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Final

__all__ = ["probe_texts"]

WRITTEN: Final = (
    "",
    " ",
    "\n\n\t ",
    "a",
    "The employee's annual leave is twelve (12) days; it can't be carried over.",
    "I'LL you'Ve WE'RE don't 'tis rock'n'roll 's 'S",
    "Người lao động được nghỉ phép hằng năm 12 ngày, theo khoản 1 Điều 113.",
    "Ngu\u031bo\u031b\u0300i lao đo\u0323\u0302ng đu\u031bo\u031b\u0323c nghi\u0309 phe\u0301p",
    "연차 유급휴가는 15일이며, 근속 2년마다 1일을 더한다.",
    "\u110b\u1167\u11ab\u110e\u1161 \u1112\u1172\u1100\u1161",
    "劳动者每年享有十二天年假,不得结转。日本語の文章とカタカナ、ひらがな。",
    "Работник имеет право на отпуск. Ёлка, объём. Ο εργαζόμενος δικαιούται άδεια. ΣΊΣΥΦΟΣ",
    "יש לעובד זכות לחופשה. للموظف الحق في إجازة سنوية مدتها ١٢ يومًا.",
    "कर्मचारी को बारह दिन की छुट्टी मिलती है। কর্মচারী ছুটি পান। ஊழியர் விடுப்பு",
    "พนักงานมีสิทธิลาพักร้อนสิบสองวัน និយោជិតមានសិទ្ធិ ພະນັກງານ",
    "İstanbul ıIiİ STRASSE straße ﬁnance ﬀ ǅ ĳ Å Å",
    "naïve café Zoë coöperate e\u0301\u0323 n\u0303 a\u0308\u0304 ½ ² ³ № ™ ℃ ㎏ Ⅷ ①",
    "日本 ﾊﾝｶｸ ＦＵＬＬ　ＷＩＤＴＨ １２３ ｶﾞ",
    "😀 👍🏽 👩‍👩‍👧‍👦 🇻🇳🇰🇷 ❤️ ☎ 1️⃣ x😀y 🎉🎉🎉",
    "3.14159 1,234,567.89 -40°C 15/2020/NĐ-CP 2024-12-31T23:59:59Z 1e-9 0xFF 1000000000000",
    "```python\ndef f(x: int) -> list[str]:\n\treturn [f'{x!r}' for _ in range(10)]  # …\n```\n",
    "| a | b |\n| --- | ---: |\n| 1 | **2** |\r\n\r\n* item\r\n    * nested <br/> &nbsp; &amp;",
    "https://example.com/a/b?c=d&e=%20f#g user@example.com C:\\temp\\x.txt /usr/lib/x.so.1",
    "==== ---- ____ .... !!!!!!!!?????? ------------------------ ########",
    "a\u00a0b\u2003c\u2009d\u3000e\u2028f\u2029g\u202fh \u00a0 i\r\nj\rk\n\n\nl",
    "a\u200bb\u200cc\u200dd\ufeffe\u00adf\u2060g",
    "\x01a\x07b\x0bc\x0cd\x1be\x1cf\x1fg\x7fh\x85i\x9fj\ufffdk\x00l",
    "𝒳𝓎 𠮷野家 𐍈 🂡 \ue000 \U000f0000 \u0378 ⬛ 🫠 \ua7f7",
    "x" * 99 + " " + "x" * 100 + " " + "x" * 101 + " " + "ab" * 700,
    "가" * 130 + " " + "中" * 130 + " " + "ắ" * 130 + " " + "z\u0301" * 130,
    "0123456789" * 30,
    "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo+/" * 12 + "==",
    "¨ ´ ¸ ˘ a¨b ﷺ ﷻ ﹉ ゛a",
    "ab\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301c \u0301start",
    "word  two   spaces    four\t\ttabs \n \n end ",
    "CamelCaseIdentifier snake_case_identifier kebab-case SCREAMING_CASE mixed_Case9To10",
    "[SEP] [CLS] a[MASK]b <s> </s> x<unk>y <pad> <mask> <|endoftext|> [UNK] ##ing ▁a ▁ <0x0A> Ġa Ċ",
)

BLOCKS: Final = (
    (0x21, 0x7F),
    (0x21, 0x7F),
    (0xA1, 0x250),
    (0x300, 0x370),
    (0x370, 0x400),
    (0x400, 0x500),
    (0x531, 0x590),
    (0x5D0, 0x5EB),
    (0x621, 0x6D4),
    (0x905, 0x97F),
    (0xE01, 0xE5C),
    (0x1E00, 0x1F00),
    (0x1F00, 0x2000),
    (0x2010, 0x2070),
    (0x20A0, 0x2100),
    (0x2100, 0x2400),
    (0x2500, 0x2760),
    (0x3001, 0x3100),
    (0x4E00, 0x9F00),
    (0xAC00, 0xD7A4),
    (0xF900, 0xFA00),
    (0xFB00, 0xFB50),
    (0xFF01, 0xFFE0),
    (0x1F300, 0x1F6D0),
    (0x1F900, 0x1FA00),
)

DRAWN: Final = 160
"""Drawn texts: enough that each block meets each other one several times."""


def probe_texts(marks: Iterable[str] = ()) -> list[str]:
    """The written texts, those about `marks`, and the drawn ones."""
    return [*WRITTEN, *about(marks), *drawn()]


def about(marks: Iterable[str]) -> Iterator[str]:
    """Texts that hold each added token alone, inside a word, doubled, and in other letter cases."""
    for mark in marks:
        yield f"{mark} a {mark}, x{mark}y {mark}{mark} ({mark}) {mark.lower()} {mark.upper()} {mark[:-1]} {mark[1:]}"
        yield f"  {mark}  \n{mark}\n"


def drawn() -> Iterator[str]:
    """Texts of random words, the same in every run."""
    rng = random.Random(20_240_229)
    for _ in range(DRAWN):
        words = [word(rng) for _ in range(rng.randint(2, 14))]
        yield rng.choice([" ", "\n", "  ", "\r\n", "-", ""]).join(words)


def word(rng: random.Random) -> str:
    low, high = rng.choice(BLOCKS)
    size = 1 + int(rng.expovariate(0.2))
    letters = (
        rng.randrange(low, high) if rng.random() < 0.85 else rng.randrange(*rng.choice(BLOCKS)) for _ in range(size)
    )
    return "".join(map(chr, letters))
