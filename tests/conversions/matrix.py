"""Tables of what a command makes of a file: one row a kind of file, one column a command."""
import json
import sys


def codes_of(stderr):
    """The codes of the errors in diagnostics as JSON lines."""
    found = [json.loads(line) for line in stderr.splitlines()]
    return " ".join(sorted({each["code"] for each in found if each.get("severity") == "error"})) or "NO CODE"


def compared(table, rows, what):
    """Compares rows with the table, or writes it if --update is given. Returns the exit code."""
    if "--update" in sys.argv:
        table.write_text("".join("\t".join(row) + "\n" for row in rows))
        return 0
    wanted = [line.split("\t") for line in table.read_text().splitlines()]
    bad = 0
    for want, have in zip(wanted, rows):
        for column, (w, h) in enumerate(zip(want, have)):
            if w != h:
                bad += 1
                print(f"{have[0]} {rows[0][column]}: expected {w}, came {h}")
    if [len(row) for row in wanted] != [len(row) for row in rows]:
        bad += 1
        print("the table has other rows or columns than the test")
    print(f"{len(rows) - 1} x {len(rows[0]) - 1} {what}, {bad} not as in {table.name}")
    return int(bad > 0)
