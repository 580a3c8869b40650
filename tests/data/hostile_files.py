"""Small files that unfold to much, and large ones of one kind of thing."""

import io
import zipfile
from collections.abc import Callable

import openpyxl
from PIL import Image

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MOST = 48_000_000


def workbook(sheet: bytes, strings: bytes = b"", styles: bytes = b"", book: bytes = b"") -> bytes:
    """A workbook of one sheet, as spreadsheet programs write it: with shared strings and styles."""
    made = openpyxl.Workbook()
    whole, file = io.BytesIO(), io.BytesIO()
    made.save(whole)
    parts = {
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>'.encode()
        + sheet
        + b"</sheetData></worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">'.encode() + strings + b"</sst>",
    }
    shared = f'<Relationship Id="rId9" Type="{_RELATION}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    listed = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    with zipfile.ZipFile(whole) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()} | parts
    for name, end, more in (
        ("xl/_rels/workbook.xml.rels", b"</Relationships>", shared),
        ("[Content_Types].xml", b"</Types>", listed),
    ):
        parts[name] = parts[name].replace(end, more.encode())
    if styles:
        parts["xl/styles.xml"] = f'<styleSheet xmlns="{_MAIN}">'.encode() + styles + b"</styleSheet>"
    if book:
        parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(b"<workbookPr/>", book)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def _times(piece: bytes, size: int = _MOST) -> bytes:
    return piece * (size // len(piece))


def _names(pattern: bytes, count: int) -> bytes:
    return b" ".join(pattern % number for number in range(count))


_INLINE = b'<c t="inlineStr"><is><t>%s</t></is></c>'
#: Workbooks by what is wrong with them.
WORKBOOKS: dict[str, Callable[[], bytes]] = {
    "a wide row": lambda: workbook(b"<row>" + _times(b"<c><v>1</v></c>") + b"</row>"),
    "a deep row": lambda: workbook(b"<row>" + _times(b"<c>", 20_000_000)),
    "wide rows": lambda: workbook(_times(b"<row>" + b"<c><v>1</v></c>" * 16_384 + b"</row>")),
    "a huge cell": lambda: workbook(b"<row>" + _INLINE % ("猫".encode() + b"a" * _MOST) + b"</row>"),
    "huge cells": lambda: workbook((b"<row>" + _INLINE % ("猫".encode() + b"a" * 9_990) * 50 + b"</row>") * 58),
    "many names": lambda: workbook(b"<row>" + _names(b"<x%d/>", 1_500_000) + b"</row>"),
    "many attributes": lambda: workbook(b"<row><c " + _names(b'a%d=""', 1_500_000) + b"/></row>"),
    "tags of many attributes": lambda: workbook(
        b"<row>" + b"".join(b"<c " + _names(b"a%d%%d=''" % tag, 50_000) + b"/>" for tag in range(30)) + b"</row>"
    ),
    "many strings": lambda: workbook(
        b'<row><c t="s"><v>2000000</v></c></row>', _times(b"<si><t>a</t></si>", 40_000_000)
    ),
    "a huge format": lambda: workbook(
        b'<row><c s="1"><v>1</v></c></row>',
        styles=b'<numFmts><numFmt numFmtId="200" formatCode="'
        + b"[" * 900_000
        + b'"/></numFmts><cellXfs>'
        + b'<xf numFmtId="200"/>' * 2_000
        + b"</cellXfs>",
    ),
}
#: Texts of the most bytes that are read.
TEXTS: dict[str, Callable[[int], bytes]] = {
    "wide.csv": lambda size: b"ab," * (size // 3),
    "wide_rows.csv": lambda size: (b"ab," * 160_000 + b"\n") * (size // 480_001),
    "line.csv": lambda size: b"x" * size,
    "quoted.csv": lambda size: b'"\na",' * (size // 5),
    "rows.csv": lambda size: b"a,b\n" * (size // 4),
    "quotation.tsv": lambda size: (b"ab\t" * 160_000 + b'"\n') * (size // 480_002),
    "empty.txt": lambda size: b"\n" * size,
    "tabulators.txt": lambda size: b"\x0b" * size,
    "line.txt": lambda size: "😀".encode() + b"a" * (size - 4),
    "latin.txt": lambda size: b"\xe9\xff " * (size // 3),
}


def _picture(mode: str, side: int, kind: str, **options: object) -> Callable[[], bytes]:
    def made() -> bytes:
        file = io.BytesIO()
        Image.new(mode, (side, side)).save(file, kind, **{"compress_level": 1} | options)
        return file.getvalue()

    return made


#: Pictures of the most pixels that are read, one colour each.
PICTURES: dict[str, Callable[[], bytes]] = {
    "transparent": _picture("RGBA", 5_000, "PNG"),
    "grey and transparent": _picture("LA", 5_000, "PNG"),
    "palette": _picture("P", 5_000, "PNG", transparency=0),
    "16 bits": _picture("I;16", 5_000, "PNG"),
    "JPEG": _picture("RGB", 10_950, "JPEG"),
    "progressive": _picture("RGB", 7_000, "JPEG", progressive=True),
    "GIF": _picture("P", 5_000, "GIF"),
    "TIFF": _picture("F", 5_000, "TIFF", compression="tiff_lzw"),
    "WebP": _picture("RGBA", 2_640, "WEBP", lossless=True),
}
