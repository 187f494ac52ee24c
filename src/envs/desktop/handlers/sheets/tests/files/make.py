"""Writes good.xlsx and wrong.xlsx with openpyxl 3.1.5: python3 make.py

`soffice --headless --convert-to xlsx` of both makes good-calc.xlsx and wrong-calc.xlsx.
"""

import datetime
from pathlib import Path

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference, ScatterChart, Series

HERE = Path(__file__).parent


def write(name, title, day, frozen, column):
    workbook = Workbook()
    data = workbook.active
    data.title = "Data"
    data.append(["Name", "Units", "Day"])
    for index, person in enumerate(["Ada", "Bob", "Eve"]):
        data.append([person, 10 + index / 4, day + datetime.timedelta(days=index)])
    data.freeze_panes = frozen
    bars = BarChart()
    bars.type = "col"
    bars.title = title
    bars.x_axis.title = "Person"
    bars.y_axis.title = "Units"
    bars.add_data(Reference(data, min_col=2, min_row=2, max_row=4))
    bars.set_categories(Reference(data, min_col=1, min_row=2, max_row=4))
    workbook.create_sheet("Bars").add_chart(bars, "A1")
    scatter = ScatterChart()
    xs = Reference(data, min_col=3, min_row=2, max_row=4)
    scatter.series.append(Series(Reference(data, min_col=column, min_row=2, max_row=4), xs))
    workbook.create_sheet("Scatter").add_chart(scatter, "A1")
    workbook.save(HERE / name)


write("good.xlsx", "Sales", datetime.date(2024, 2, 29), "B2", 2)
write("wrong.xlsx", "Costs", datetime.date(2024, 3, 1), "A3", 1)
