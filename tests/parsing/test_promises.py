"""Any Markdown keeps the promises of a Document: order, coverage, honest starts and ends, honest tables."""

from __future__ import annotations

import unicodedata

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pincite.document import Document
from pincite.parsing import parse_bytes

from ..promises import broken_promises

WORDS = st.sampled_from(
    ["leave", "ngày phép", unicodedata.normalize("NFD", "Nghỉ việc"), "연차 휴가", "👨‍👩‍👧‍👦", "🇻🇳", "a*b*", "`c|d`", "&amp;", "\\|", "\u00a0",
     "[x](y)", "![p](q.png)", "[^1]", "$x_1$", "<b>", "http://e.org", "\\", "`", "*", "_", "|", "$$", "\\[", "\\]", "#", ">",
     "-", "1.", "{3}" + "-" * 48, "<!-- page 3 -->", "\f", "\t", "\u3000", "\u200b", "\ufeff", "\u2028", "Table 1:", "표 2"]
)  # fmt: skip
LINES = st.sampled_from(
    ["# ", "## ", "####### ", "===", "---", "***", "- ", "* ", "+ ", "1. ", "2) ", "- [ ] ", "> ", ">", "> > ", "```", "~~~~ py", "````",
     "    ", "\t", "| a | b |", "|---|:-:|", "| 1 | 2 | 3 |", "a|b", "-|-", "[r]: /u", "[^1]: ", "<div>", "</div>", "<!-- c", "-->",
     "<!-- PageBreak -->", "<!-- page: 4 -->", '<!-- PageNumber="ii" -->', "\\newpage", "$$", "\\[", "\\]", "```math", "+++", "...", "> [!NOTE]",
     "![p](data:image/png;base64,AAECAwQFBgcICQoLDA0ODxAREhMU)", "<pre>", "Table 3: x", "&nbsp;", "term", ": def", "-", "  ", "<a href='", ""]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n", "\r", "\n\f", " \n", "  \r\n", "\n\n\n", "\f"])


@st.composite
def markdown(draw: st.DrawFn) -> str:
    """Text made of whatever the grammar has a rule for, in any order, with any line end."""
    parts = [draw(st.sampled_from(["", "", "", "\ufeff", "---\n", "---\na: 1\n---\n"]))]
    for _ in range(draw(st.integers(0, 12))):
        parts.append(draw(st.sampled_from(["", "", "", " ", "  ", "   ", "    ", "> ", "- ", "\t"])))
        parts.append(draw(LINES))
        parts.append(" ".join(draw(st.lists(WORDS, max_size=3))))
        parts.append(draw(ENDS))
    return "".join(parts)


def read(text: str, uri: str = "x.md") -> Document:
    return parse_bytes(text.encode(), uri)


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(markdown())
@example("- - -\n- a\n")
@example("> - a\n>\n>   b\n> ```\n> x\n")
def test_markdown_keeps_every_promise(text: str) -> None:
    """Blocks rise, cover all that is visible, begin and end where they say; tables nest."""
    assert broken_promises(read(text)) == []


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet=st.sampled_from("ab #>-*+`~|:$\\[]()!<>/\n\r\t\f1.0=_{}^&;ả한👩\u0301\u200d\u00a0"), max_size=60)
)
def test_any_text_keeps_every_promise(text: str) -> None:
    """Noise of the letters that mean something in Markdown breaks nothing either."""
    assert broken_promises(read(text)) == []


@settings(max_examples=150, deadline=None)
@given(markdown())
def test_plain_text_keeps_every_promise(text: str) -> None:
    """The same text read as plain text."""
    assert broken_promises(read(text, "x.txt")) == []
