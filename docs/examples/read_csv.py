# docs/examples/read_csv.py
# The columns of a CSV file of `dalembert simulate` by name; an empty cell is a value that does not exist.
import csv
import sys


def read_columns(file):
    rows = list(csv.reader(file))
    return {name: [float(cell) if cell else float("nan") for cell in cells]
            for name, cells in zip(rows[0], zip(*rows[1:]))}


columns = read_columns(sys.stdin)
print(", ".join(columns))
low = min(range(len(columns["t"])), key=lambda i: columns["reaction(l)"][i])
print(f"the rod pulls most, {-columns['reaction(l)'][low]:.6f}, at t = {columns['t'][low]:g}")
