"""Word files for tests, from the XML of their parts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

from pincite.document import Document
from pincite.options import ParseOptions
from pincite.parsing.docx import parse
from tests.promises import broken_promises

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    f'xmlns:r="{OFFICE}/relationships" xmlns:m="{OFFICE}/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"

STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>' for n in range(1, 10)
)


def relationships(*entries: tuple[str, str, str]) -> str:
    """A part of relationships; targets with a scheme are external."""
    listed = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/relationships/{kind}" Target="{escape(target)}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if ':' in target else ''}/>"
        for name, kind, target in entries
    )
    return f'<Relationships xmlns="{RELATIONSHIPS}">{listed}</Relationships>'


def element(name: str, inner: str) -> str:
    """The root of a part."""
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{name} {NAMESPACES}>{inner}</w:{name}>'


def word(body: str, links: tuple[tuple[str, str, str], ...] = (), **parts: str) -> bytes:
    """A Word file; `parts` are the insides of `styles`, `numbering`, `footnotes`, `header`, …"""
    parts = {"styles": STYLES, **parts}
    roots = {"header": "hdr", "footer": "ftr"}
    named = [(f"part{at}", name, f"{name}.xml") for at, name in enumerate(parts)]
    return zipped(
        {
            "[Content_Types].xml": CONTENT_TYPES,
            "_rels/.rels": relationships(("main", "officeDocument", "word/document.xml")),
            "word/document.xml": element("document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": relationships(*named, *links),
            **{f"word/{name}.xml": element(roots.get(name, name), inner) for name, inner in parts.items()},
        }
    )


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of parts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def forbidden(*given: object, **named: object) -> None:
    """Stands in for `ZipFile.open` where nothing may be inflated."""
    raise AssertionError("a part was opened")


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def p(inner: str = "", style: str = "", properties: str = "") -> str:
    """A paragraph; text that is no XML becomes one run."""
    inner = inner if inner.startswith("<") or not inner else run(inner)
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inner}</w:p>"


def item(text: str, level: int = 0, list_id: int = 1, style: str = "") -> str:
    """A paragraph in a list."""
    place = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    return p(text, style, place)


def level(number: int, form: str = "decimal", shown: str | None = None, more: str = "", start: int = 1) -> str:
    """How one level of a list counts."""
    shown = f"%{number + 1}." if shown is None else shown
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{escape(shown)}"/></w:lvl>'
    )


def lists(*abstract: str, more: str = "") -> str:
    """The inside of `numbering.xml`: lists 1, 2, … of the given levels."""
    return (
        "".join(
            f'<w:abstractNum w:abstractNumId="{n}">{levels}</w:abstractNum>' for n, levels in enumerate(abstract, 1)
        )
        + "".join(f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n in range(1, len(abstract) + 1))
        + more
    )


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{text if text.startswith('<') else p(text)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def table(*rows: str) -> str:
    return f"<w:tbl><w:tblPr/>{''.join(rows)}</w:tbl>"


def read(data: bytes, **options: object) -> Document:
    """The document, with all promises kept."""
    document = parse(data, "file.docx", ParseOptions(**options))  # type: ignore[arg-type]
    assert broken_promises(document) == []
    return document


def text(body: str, **parts: str) -> str:
    """The Markdown of a Word file with this body."""
    return read(word(body, (), **parts)).text


def codes(document: Document) -> list[str]:
    return [diagnostic.code for diagnostic in document.diagnostics]
