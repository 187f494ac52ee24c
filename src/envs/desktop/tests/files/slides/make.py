"""Writes good.pptx with python-pptx 1.0.2, and python-pptx.json with what that program reads of all presentations here:
python3 make.py

office.pptx is good.pptx as LibreOffice 7.4 saves it, without layouts that no slide uses:
soffice --convert-to pptx:"Impress MS PowerPoint 2007 XML" --outdir OUT good.pptx, then python3 make.py OUT/good.pptx.
"""

import io
import json
import struct
import sys
import zlib
from pathlib import Path

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_UNDERLINE, PP_ALIGN
from pptx.util import Emu, Inches, Pt

HERE = Path(__file__).parent


def picture(color):
    """A PNG of 2 x 2 pixels."""
    rows = b"".join(b"\0" + bytes(color) * 2 for _ in range(2))

    def chunk(kind, data):
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return io.BytesIO(b"\x89PNG\r\n\x1a\n" + parts)


def run(paragraph, text, **format):
    added = paragraph.add_run()
    added.text = text
    for name, value in format.items():
        if name == "color":
            added.font.color.rgb = RGBColor.from_string(value)
        elif name == "strike":
            added.font._element.set("strike", value)
        else:
            setattr(added.font, name, value)
    return added


def first(slides, layouts):
    slide = slides.add_slide(layouts[0])
    slide.shapes.title.text = "Annual Report"
    slide.placeholders[1].text = "Numbers of 2024\nby Ada"
    slide.notes_slide.notes_text_frame.text = "Greet the guests\nSpeak slowly"


def second(slides, layouts):
    slide = slides.add_slide(layouts[1])
    slide.shapes.title.text = "Findings"
    frame = slide.placeholders[1].text_frame
    frame.text = "Costs fell"
    below = frame.add_paragraph()
    below.level = 1
    below.alignment = PP_ALIGN.RIGHT
    run(below, "Bold", bold=True)
    run(below, " slanted", italic=True)
    run(below, " under", underline=True)
    run(below, " waved", underline=MSO_UNDERLINE.WAVY_LINE)
    last = frame.add_paragraph()
    run(last, "Red", color="FF0000", size=Pt(24), name="Arial")
    run(last, " gone", strike="sngStrike")
    theme = run(last, " theme")
    theme.font.color.theme_color = MSO_THEME_COLOR.ACCENT_1
    theme.font.color.brightness = 0.4
    last.add_line_break()
    run(last, "below")
    slide.shapes.add_picture(picture((200, 30, 30)), Inches(5), Inches(1), Inches(1), Inches(1))


def third(slides, layouts):
    slide = slides.add_slide(layouts[5])
    slide.shapes.title.text = "Product Comparison"
    slide.shapes.title.top = Emu(3700000)
    cells = slide.shapes.add_table(2, 2, Inches(1), Emu(3700000), Inches(6), Inches(1)).table
    for row in range(2):
        for column in range(2):
            cells.cell(row, column).text = f"cell {row}{column}"
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    box.text_frame.word_wrap = True
    box.text_frame.text = "Elaborate on what you want to discuss."
    shape = slide.shapes.add_shape(MSO_SHAPE.OVAL, Inches(5), Inches(1), Inches(1), Inches(1))
    shape.text_frame.text = "Oval"
    form = slide.shapes.build_freeform(Inches(7), Inches(1))
    form.add_line_segments([(Inches(8), Inches(1)), (Inches(8), Inches(2))])
    form.convert_to_shape()
    slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, Inches(1), Inches(3), Inches(4), Inches(3))
    group = slide.shapes.add_group_shape()
    for index in range(2):
        inner = group.shapes.add_textbox(Inches(6 + index), Inches(3), Inches(1), Inches(0.5))
        inner.text_frame.word_wrap = True
        inner.text_frame.text = f"Part {index}"


def fourth(slides, layouts):
    slide = slides.add_slide(layouts[6])
    fill = slide.background.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(0xFF, 0xFF, 0x00)


def write():
    presentation = Presentation()
    for add in [first, second, third, fourth]:
        add(presentation.slides, presentation.slide_layouts)
    save(presentation, "good.pptx")


def save(presentation, name):
    """Saves a presentation without layouts that no slide uses."""
    for master in presentation.slide_masters:
        for layout in list(master.slide_layouts):
            if not layout.used_by_slides:
                master.slide_layouts.remove(layout)
    presentation.save(HERE / name)


def read_run(run):
    font = run.font
    attributes = font._element.attrib
    color = getattr(font.color, "rgb", None)
    return {
        "text": run.text,
        "font": font.name,
        "size": None if font.size is None else font.size.centipoints,
        "bold": font.bold,
        "italic": font.italic,
        "underline": attributes.get("u"),
        "strike": attributes.get("strike"),
        "rgb": None if color is None else str(color),
    }


def read_paragraph(paragraph):
    properties = paragraph._p.find("{*}pPr")
    character = None if properties is None else properties.find("{*}buChar")
    return {
        "text": paragraph.text,
        "level": paragraph.level,
        "alignment": paragraph._p.get_or_add_pPr().get("algn"),
        "bullet": None if character is None else character.get("char"),
        "runs": [read_run(run) for run in paragraph.runs],
    }


def read_shape(shape):
    kind = shape.shape_type
    read = {
        "name": shape.name,
        "type": None if kind is None else int(kind),
        "frame": [shape.left, shape.top, shape.width, shape.height],
        "text": None,
        "cells": [],
        "children": [],
        "picture": len(shape.image.blob) if kind == 13 else None,
    }
    if shape.has_text_frame:
        read["text"] = [read_paragraph(paragraph) for paragraph in shape.text_frame.paragraphs]
    if getattr(shape, "has_table", False) and shape.has_table:
        read["cells"] = [[cell.text for cell in row.cells] for row in shape.table.rows]
    if kind == 6:
        read["children"] = [
            {"name": inner.name, "text": inner.text if inner.has_text_frame else None} for inner in shape.shapes
        ]
    return read


def read(path):
    presentation = Presentation(path)
    slides = []
    for slide in presentation.slides:
        notes = slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else None
        slides.append({"notes": notes, "shapes": [read_shape(shape) for shape in slide.shapes]})
    return {"size": [presentation.slide_width, presentation.slide_height], "slides": slides}


if __name__ == "__main__":
    if sys.argv[1:]:
        save(Presentation(sys.argv[1]), "office.pptx")
    else:
        write()
    readings = {path.name: read(path) for path in sorted(HERE.glob("*.pptx"))}
    (HERE / "python-pptx.json").write_text(json.dumps(readings, indent=1) + "\n")
