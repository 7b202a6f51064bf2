"""Builds the sample documents from their sources: `make samples`.

The handbooks are set by typst (the package `typst` of the group `samples`), the policy is written
with python-docx. The same versions of both, and of the Korean font, give the same bytes: times are
fixed and file names in archives are sorted.

The Korean handbook needs the Nanum fonts (Debian: fonts-nanum) while it is built; the glyphs that
it uses are embedded, so that nobody needs them to read it.
"""

from __future__ import annotations

import io
import sys
import zipfile
from datetime import datetime
from pathlib import Path

import docx
import typst
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.text.paragraph import Paragraph

SOURCES = Path(__file__).resolve().parent
SAMPLES = SOURCES.parent
KOREAN_FONTS = Path("/usr/share/fonts/truetype/nanum")
MOMENT = datetime(2026, 1, 5, 9, 0, 0)
AUTHOR = "Norrbrook Instruments"

HANDBOOKS = ("handbook", "handbook-vi", "handbook-ko")


def main() -> int:
    if not (KOREAN_FONTS / "NanumMyeongjo.ttf").exists():
        print(f"the Nanum fonts are not in {KOREAN_FONTS}; install the package fonts-nanum", file=sys.stderr)
        return 1
    for name in HANDBOOKS:
        typst.compile(SOURCES / f"{name}.typ", output=SAMPLES / f"{name}.pdf", font_paths=[KOREAN_FONTS])
    (SAMPLES / "policy.docx").write_bytes(policy())
    return 0


def policy() -> bytes:
    """A policy with numbered headings, lists, a table with merged cells, a footnote and revisions."""
    document = docx.Document()
    properties = document.core_properties
    properties.title, properties.author = "Loan of Instruments: Policy", AUTHOR
    properties.created = properties.modified = MOMENT
    properties.language = "en-GB"
    number_headings(document)

    document.add_paragraph("Loan of Instruments: Policy", style="Title")
    document.add_paragraph(
        "This policy says who may borrow a measuring instrument from the pool, for how long, and what happens "
        "when one comes back broken or not at all. It applies to all three sites from 1 March 2026."
    )

    document.add_heading("Purpose and scope", 1)
    document.add_paragraph(
        "The pool exists so that nobody buys an instrument that stands unused for eleven months of the year. "
        "It holds level sensors, current meters, loggers, levels and the reference thermometers."
    )
    with_footnote = document.add_paragraph(
        "Reference thermometers leave the building only with the signature of the head of calibration."
    )
    add_footnote(document, with_footnote, "The signature is on the loan card, not in a message.")

    document.add_heading("Borrowing", 1)
    document.add_heading("Who may borrow", 2)
    document.add_paragraph("An instrument may be borrowed by:", style="Normal")
    for item in (
        "employees of any site, after the introduction to the instrument in question;",
        "apprentices, together with their instructor;",
        "universities and rescue services, by a contract of loan.",
    ):
        document.add_paragraph(item, style="List Bullet")

    document.add_heading("How long", 2)
    revised = document.add_paragraph("A loan lasts at most ")
    add_revision(revised, deleted="14", inserted="21")
    revised.add_run(" calendar days. It may be extended twice, unless somebody else has asked for the instrument.")
    document.add_paragraph(
        "The table gives the fee for each further day. No fee is due for days on which the store was closed."
    )
    add_fees(document)

    document.add_heading("How to borrow", 2)
    for step in (
        "Look in the catalogue whether the instrument is free.",
        "Fill in the loan card and have it signed by the store keeper.",
        "Check the instrument against the card before you leave the store.",
        "Enter where the instrument is whenever it moves to another site.",
    ):
        document.add_paragraph(step, style="List Number")

    document.add_heading("Care and return", 1)
    document.add_heading("Cleaning", 2)
    document.add_paragraph(
        "Rinse the instrument with fresh water on the day on which it was in the sea. "
        "Never use solvents on the membrane of a pressure sensor; a membrane that was touched is a membrane to be "
        "calibrated again."
    )
    document.add_heading("Damage and loss", 2)
    document.add_paragraph(
        "Damage is reported with the return, loss within one working day. Nobody pays for an accident. "
        "Whoever does not report damage, and so lets the next borrower measure nonsense, answers for it under "
        "section 11.4 of the employee handbook."
    )

    document.add_heading("Responsibilities", 1)
    document.add_paragraph(
        "The store keeper of each site keeps the catalogue, the head of calibration keeps the dates of calibration, "
        "and the People Office keeps out of it."
    )
    return packed(document)


def number_headings(document: Document) -> None:
    """Headings numbered by the word processor: the numbers stand nowhere in the text."""
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        f'<w:pStyle w:val="Heading{level + 1}"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/></w:lvl>'
        for level, text in enumerate(("%1.", "%1.%2"))
    )
    numbering = document.part.numbering_part.element
    abstract = parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">'
        f'<w:multiLevelType w:val="multilevel"/>{levels}</w:abstractNum>'
    )
    first_number = numbering.find(qn("w:num"))
    first_number.addprevious(abstract)
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    for level in (0, 1):
        style = document.styles[f"Heading {level + 1}"]
        number = style.element.get_or_add_pPr().get_or_add_numPr()
        number.get_or_add_ilvl().val = level
        number.get_or_add_numId().val = 90


def add_footnote(document: Document, paragraph: Paragraph, text: str) -> None:
    """The document's only footnote, with the part that holds it."""
    styles = document.styles
    reference = styles.add_style("Footnote Reference", WD_STYLE_TYPE.CHARACTER)
    reference.font.superscript = True
    separators = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{mark}/></w:r></w:p></w:footnote>'
        for kind, number, mark in (
            ("separator", -1, "separator"),
            ("continuationSeparator", 0, "continuationSeparator"),
        )
    )
    notes = (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:footnotes {nsdecls("w")}>{separators}'
        f'<w:footnote w:id="1"><w:p><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
        f"<w:r><w:t>{text}</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), kind, notes.encode(), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    paragraph._p.append(
        parse_xml(
            f'<w:r {nsdecls("w")}><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>'
            '<w:footnoteReference w:id="1"/></w:r>'
        )
    )


def add_revision(paragraph: Paragraph, deleted: str, inserted: str) -> None:
    """A tracked change: what an editor struck out and what stands there now."""
    mark = f'w:author="{AUTHOR}" w:date="{MOMENT.isoformat()}Z"'
    paragraph._p.append(
        parse_xml(f'<w:del {nsdecls("w")} w:id="201" {mark}><w:r><w:delText>{deleted}</w:delText></w:r></w:del>')
    )
    paragraph._p.append(parse_xml(f'<w:ins {nsdecls("w")} w:id="202" {mark}><w:r><w:t>{inserted}</w:t></w:r></w:ins>'))


def add_fees(document: Document) -> None:
    """A table whose first column and one heading span cells."""
    rows = (
        ("Group", "Instrument", "Fee for a further day", ""),
        ("", "", "Own staff", "Others"),
        ("Level", "Pressure sensor NB-20", "none", "6"),
        ("", "Radar gauge NB-70", "none", "14"),
        ("Flow", "Current meter NB-5", "2", "9"),
        ("Time", "Logger NB-L3", "none", "3"),
    )
    table = document.add_table(rows=len(rows), cols=4, style="Table Grid")
    for row, values in zip(table.rows, rows, strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    table.cell(0, 2).merge(table.cell(0, 3)).text = "Fee for a further day"
    table.cell(0, 0).merge(table.cell(1, 0)).text = "Group"
    table.cell(0, 1).merge(table.cell(1, 1)).text = "Instrument"
    table.cell(2, 0).merge(table.cell(3, 0)).text = "Level"
    for row in table.rows[:2]:
        row._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))


def packed(document: Document) -> bytes:
    """The archive with sorted names and one time, so that it is the same whenever it is built."""
    first = io.BytesIO()
    document.save(first)
    out = io.BytesIO()
    with zipfile.ZipFile(first) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name))
        for name in names:
            new.writestr(zipfile.ZipInfo(name, MOMENT.timetuple()[:6]), old.read(name), zipfile.ZIP_DEFLATED)
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
