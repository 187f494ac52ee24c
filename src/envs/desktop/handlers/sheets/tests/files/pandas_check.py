"""Compares the verdicts "code" of pandas.json with pandas 2 and openpyxl 3.1: python3 pandas_check.py"""

import datetime
import io
import json
import sys
from pathlib import Path

import pandas
from openpyxl import Workbook

EPOCH = datetime.datetime(1899, 12, 30)


def value(cell):
    if not isinstance(cell, dict):
        return cell
    (kind, content), = cell.items()
    return {
        "formula": lambda: f"={content}",
        "date": lambda: EPOCH + datetime.timedelta(days=content),
        "error": lambda: content,
        "number": lambda: float(content),
    }[kind]()


def read(rows):
    workbook = Workbook()
    for number, row in enumerate(rows, 1):
        for column, cell in enumerate(row, 1):
            workbook.active.cell(number, column, value(cell))
    file = io.BytesIO()
    workbook.save(file)
    return pandas.read_excel(file)


wrong = 0
cases = json.loads(Path(__file__).with_name("pandas.json").read_text())
for case in cases:
    found, expected = read(case["found"]), read(case["expected"])
    equal = bool(found.round(4).equals(expected.round(4)))
    if equal != case["code"]:
        wrong += 1
        print(f"{case}: pandas says {equal}\n{found!r}\n{found.dtypes}\n{expected!r}\n{expected.dtypes}")
print(f"{len(cases)} cases, {wrong} differ")
sys.exit(wrong > 0)
