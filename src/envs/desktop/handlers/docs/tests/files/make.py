"""Makes the text documents of these tests with LibreOffice: `python3 make.py` in this folder, with `soffice` on the path.

Flat OpenDocument texts are written and LibreOffice converts them: `good.docx`, `again.docx` (the same, saved a second time from
its own docx), `wrong.docx` (the same words, and each thing that a function looks at is otherwise), `words.docx` (another
reference) and `good.odt`, `wrong.odt`.
"""

import base64, struct, subprocess, zlib

NAMES = "office text style fo table draw svg meta number".split()
URNS = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in NAMES}
URNS["fo"] = "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
URNS["svg"] = "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
URNS["draw"] = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
URNS["xlink"] = "http://www.w3.org/1999/xlink"


def picture(red, green, blue):
    """A PNG of 4 by 4 pixels of one color."""
    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\0" + bytes([red, green, blue]) * 4 for _ in range(4))
    head = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(png).decode()


def document(wrong, words):
    """A flat OpenDocument text."""
    pick = lambda good, other: other if wrong else good
    color = lambda name, value: f'<style:style style:name="{name}" style:family="text"><style:text-properties fo:color="{value}"/></style:style>'
    styles = f"""
    <style:style style:name="First" style:family="paragraph"><style:paragraph-properties fo:text-align="{pick("center", "left")}"/></style:style>
    <style:style style:name="Wide" style:family="paragraph"><style:paragraph-properties fo:line-height="{pick("200%", "100%")}"/></style:style>
    <style:style style:name="Tabs" style:family="paragraph"><style:paragraph-properties><style:tab-stops>
      <style:tab-stop style:position="{pick("3in", "1in")}" style:type="{pick("right", "left")}"/></style:tab-stops></style:paragraph-properties></style:style>
    <style:style style:name="Struck" style:family="text"><style:text-properties style:text-line-through-style="{pick("solid", "none")}" style:text-line-through-type="{pick("single", "none")}"/></style:style>
    <style:style style:name="Low" style:family="text"><style:text-properties style:text-position="{pick("sub 58%", "0% 100%")}"/></style:style>
    <style:style style:name="Mark" style:family="text"><style:text-properties fo:background-color="{pick("transparent", "#ffff00")}"/></style:style>
    {color("Red", pick("#ff0000", "#0000ff"))}{color("Blue", "#0000ff")}
    <style:style style:name="Grid" style:family="table"><style:table-properties style:width="4in" table:align="left"/></style:style>
    <style:style style:name="Frame" style:family="graphic"><style:graphic-properties style:wrap="none"/></style:style>"""
    math = pick('<draw:frame draw:style-name="Frame" text:anchor-type="as-char" svg:width="1in" svg:height="0.3in"><draw:object>'
                '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>'
                '<annotation encoding="StarMath 5.0">a + b</annotation></semantics></math></draw:object></draw:frame>', "")
    cell = lambda body: f'<table:table-cell office:value-type="string"><text:p>{body}</text:p></table:table-cell>'
    row = lambda *cells: f'<table:table-row>{"".join(map(cell, cells))}</table:table-row>'
    red, blue = (lambda words: f'<text:span text:style-name="Red">{words}</text:span>'), (lambda words: f'<text:span text:style-name="Blue">{words}</text:span>')
    table = (f'<table:table table:style-name="Grid"><table:table-column table:number-columns-repeated="2"/>'
             f'{row(red("apple"), blue("pear"))}{row(blue("plum"), red("orange"))}</table:table>')
    image = picture(*pick((200, 30, 30), (30, 30, 200)))
    shown = (f'<draw:frame draw:style-name="Frame" text:anchor-type="as-char" svg:width="0.5in" svg:height="0.5in"><draw:image>'
             f'<office:binary-data>{image}</office:binary-data></draw:image></draw:frame>')
    footer = pick("<text:p>Page <text:page-number>1</text:page-number></text:p>", "<text:p>Page</text:p>")
    names = " ".join(f'xmlns:{name}="{urn}"' for name, urn in URNS.items())
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document {names} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
  <office:font-face-decls><style:font-face style:name="Body" svg:font-family="'Liberation Serif'"/><style:font-face style:name="Other" svg:font-family="'DejaVu Sans'"/></office:font-face-decls>
  <office:styles><style:default-style style:family="paragraph"><style:text-properties style:font-name="{pick("Body", "Other")}" fo:font-size="12pt"/></style:default-style>
    <style:style style:name="Standard" style:family="paragraph"/></office:styles>
  <office:automatic-styles>{styles}
    <style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="8.5in" fo:page-height="11in" fo:margin="1in"/>
      <style:footer-style><style:header-footer-properties fo:min-height="0.3in"/></style:footer-style></style:page-layout></office:automatic-styles>
  <office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Page"><style:footer>{footer}</style:footer></style:master-page></office:master-styles>
  <office:body><office:text>
    <text:p text:style-name="First">A report</text:p>
    <text:p text:style-name="Wide">Water is H<text:span text:style-name="Low">2</text:span>O.</text:p>
    <text:p text:style-name="Tabs">one two<text:tab/>three four</text:p>
    <text:p><text:span text:style-name="Mark">marked words</text:span> and others</text:p>
    <text:p>{math}</text:p>
    {table}
    <text:p>{shown}</text:p>
    <text:p>References</text:p>
    <text:p>[1] {"Quick bold 77" if words else "Ada Writer, On notes, 1999"}.</text:p>
    <text:p><text:span text:style-name="Struck">the last words</text:span></text:p>
  </office:text></office:body>
</office:document>
"""


def convert(source, to):
    subprocess.run(["soffice", "--headless", "--convert-to", to, source], check=True)


for name in ("good", "wrong", "words"):
    with open(f"{name}.fodt", "w", encoding="utf-8") as file:
        file.write(document(name == "wrong", name == "words"))
    if name != "words":
        convert(f"{name}.fodt", "odt")
    convert(f"{name}.fodt", "docx")
subprocess.run("cp good.docx again-source.docx && soffice --headless --convert-to docx:'MS Word 2007 XML' --outdir again again-source.docx"
               " && mv again/again-source.docx again.docx && rm -r again again-source.docx *.fodt", shell=True, check=True)
