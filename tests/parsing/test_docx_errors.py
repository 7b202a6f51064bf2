"""Files that are no Word document, or a damaged or hostile one: which error, and that it comes soon."""

from __future__ import annotations

import contextlib
import zipfile
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import CorruptError, EncryptedError, FormatError, LimitError, MismatchError, ReadError
from pincite.options import ParseOptions
from pincite.parsing.docx import parse
from tests.effort import GROWTH, growth
from tests.parsing.wordfile import CONTENT_TYPES, element, forbidden, p, relationships, run, word, zipped

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


def refused(data: bytes) -> ReadError:
    """The error that reading the data gives."""
    with pytest.raises(ReadError) as caught:
        parse(data, "file.docx", ParseOptions())
    assert str(caught.value).startswith("file.docx: ")
    return caught.value


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (COMPOUND + "EncryptedPackage".encode("utf-16-le"), EncryptedError, "protected by a password"),
        (COMPOUND + "WordDocument".encode("utf-16-le"), FormatError, "save it as .docx"),
        (COMPOUND, FormatError, "compound file"),
        (b"", CorruptError, "empty"),
        (b"{\\rtf1 hello}", MismatchError, "an RTF file"),
        (b"%PDF-1.7", MismatchError, "a PDF file"),
        (b"<!DOCTYPE html><p>x", MismatchError, "an HTML or XML file"),
        (b"just words", MismatchError, "no ZIP archive"),
        (word(p("x"))[:-40], CorruptError, "damaged"),
        (word(p("x"))[:200], CorruptError, "damaged"),
        (zipped({"a.txt": "x"}), MismatchError, "a ZIP archive, not a Word document"),
        (zipped({"[Content_Types].xml": CONTENT_TYPES, "xl/workbook.xml": "<x/>"}), MismatchError, "an Excel workbook"),
        (
            zipped({"[Content_Types].xml": CONTENT_TYPES, "ppt/p.xml": "<x/>"}),
            MismatchError,
            "a PowerPoint presentation",
        ),
        (
            zipped({"[Content_Types].xml": CONTENT_TYPES, "word/styles.xml": "<x/>"}),
            CorruptError,
            "no readable part word/document.xml",
        ),
        (word("<w:p><w:r>"), CorruptError, "no well-formed XML"),
    ],
)
def test_each_wrong_file_has_its_error(data: bytes, kind: type[ReadError], said: str) -> None:
    """The class tells a program what is wrong, the message tells a person what to do."""
    error = refused(data)

    assert type(error) is kind
    assert said in str(error)


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE w [<!ENTITY a "aaaa">]>',
        '<!DOCTYPE w SYSTEM "http://x/">',
    ],
)
@pytest.mark.parametrize("code", ["utf-8", "utf-16"])
def test_document_types_and_entities_are_refused(declared: str, code: str) -> None:
    """No entity is ever resolved, from the file or from elsewhere."""
    part = (
        element("document", f"<w:body>{p('x')}</w:body>")
        .replace("?>", f"?>{declared}", 1)
        .replace('"UTF-8"', f'"{code}"')
    )
    data = zipped({"_rels/.rels": relationships(("a", "officeDocument", "d.xml")), "d.xml": part.encode(code)})

    assert "declares a document type" in str(refused(data))


def test_nesting_without_end_is_a_limit() -> None:
    """A document nested ten thousand deep is refused, at once and without a traceback."""
    error = refused(word("<w:sdt><w:sdtContent>" * 10_000 + "</w:sdtContent></w:sdt>" * 10_000))

    assert isinstance(error, LimitError)


@pytest.mark.parametrize(
    "nest",
    [
        "<w:ins>{}</w:ins>",
        "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>",
        "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>",
    ],
)
def test_nesting_that_xml_allows_is_read(nest: str) -> None:
    """As deep as the XML parser goes, the walker goes."""
    inner = p("deep")
    for _ in range(75):
        inner = nest.format(inner)

    assert parse(word(inner), "file.docx", ParseOptions()).text == "deep"


def test_a_bomb_named_docx_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that inflates a thousandfold is refused before anything of it is read."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        with archive.open("word/document.xml", "w") as part:
            for _ in range(100):
                part.write(b" " * 2**20)
    monkeypatch.setattr(zipfile.ZipFile, "open", forbidden)

    assert isinstance(refused(packed.getvalue()), LimitError)


def test_twice_the_paragraphs_take_about_twice_the_work() -> None:
    """Reading is linear, with lists of links and notes too."""

    def work(count: int) -> None:
        body = "".join(p(run("text ") + f'<w:r><w:footnoteReference w:id="{n}"/></w:r>') for n in range(count))
        data = word(body, footnotes="".join(f'<w:footnote w:id="{n}">{p("note")}</w:footnote>' for n in range(count)))
        parse(data, "file.docx", ParseOptions())

    assert growth(work, 200) <= GROWTH


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_bytes_never_escape_as_other_errors(data: st.DataObject) -> None:
    """Whatever is changed in a file, the result is a document or a ReadError."""
    packed = bytearray(word(p("Some text", "Heading1") + p("more")))
    for _ in range(data.draw(st.integers(1, 4))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(ReadError):
        parse(bytes(packed), "file.docx", ParseOptions())
