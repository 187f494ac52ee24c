"""Compares the verdicts in ../code.rs with pandas 2 and openpyxl: python3 pandas_check.py FOLDER

FOLDER is the one that WRITE_PANDAS_CASES named when the tests ran.
"""

import sys
from pathlib import Path

import pandas

wrong = 0
cases = sorted(Path(sys.argv[1]).glob("*-equal"))
for case in cases:
    found, expected = (
        pandas.read_excel(case.with_name(case.name.replace("equal", f"{side}.xlsx")))
        for side in ("found", "expected")
    )
    equal = found.round(4).equals(expected.round(4))
    if str(equal).lower() != case.read_text():
        wrong += 1
        print(f"{case.name}: pandas says {equal}\n{found!r}\n{found.dtypes}\n{expected!r}\n{expected.dtypes}")
print(f"{len(cases)} cases, {wrong} differ")
sys.exit(wrong > 0 or not cases)
