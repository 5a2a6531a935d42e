"""draw.py TRACE SVG: what the pen has written, in centimeters. The trace is NDJSON and has ella.pen."""

import json
import sys

DOWN = 0.124  # m, of the pen's link: it touches below
SCALE = 14  # pixels per cm
LEFT, RIGHT, FOOT, HEAD = -28, 28, 39, 61  # cm: x, and z from the column
MARGIN = 46  # pixels, for the numbers

with open(sys.argv[1], encoding="utf-8") as trace:
    tips = [json.loads(line)["data"]["ella.pen"] for line in trace if '"data"' in line]
strokes, was_down = [], False
for x, y, z, *_ in tips:
    if y < DOWN and not was_down:
        strokes.append([])
    was_down = y < DOWN
    if was_down:
        strokes[-1].append((100 * x, 100 * z))

width, height = (RIGHT - LEFT) * SCALE + MARGIN + 14, (HEAD - FOOT) * SCALE + MARGIN + 10


def px(x):
    return round(MARGIN + (x - LEFT) * SCALE, 1)


def py(z):
    return round(10 + (HEAD - z) * SCALE, 1)


lines = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    'font-family="sans-serif" font-size="11">',
    '<rect width="100%" height="100%" fill="#fff"/>',
]
for x in range(LEFT + 3, RIGHT, 5):
    lines.append(f'<path stroke="#e4e4e4" d="M{px(x)} {py(HEAD)}V{py(FOOT)}"/>')
    lines.append(f'<text x="{px(x)}" y="{py(FOOT) + 14}" text-anchor="middle" fill="#555">{x}</text>')
for z in range(FOOT + 1, HEAD, 5):
    lines.append(f'<path stroke="#e4e4e4" d="M{px(LEFT)} {py(z)}H{px(RIGHT)}"/>')
    lines.append(f'<text x="{px(LEFT) - 6}" y="{py(z) + 4}" text-anchor="end" fill="#555">{z}</text>')
lines.append(f'<text x="{px(0)}" y="{py(FOOT) + 30}" text-anchor="middle" fill="#444">x (cm)</text>')
lines.append(f'<text transform="translate(14 {py(50)}) rotate(-90)" text-anchor="middle" fill="#444">z from the column (cm)</text>')
lines.append(f'<rect x="{px(LEFT)}" y="{py(HEAD)}" width="{(RIGHT - LEFT) * SCALE}" height="{(HEAD - FOOT) * SCALE}" fill="none" stroke="#888"/>')
for stroke in strokes:
    points = " ".join(f"{px(x)},{py(z)}" for x, z in stroke)
    lines.append(f'<polyline fill="none" stroke="#1f4e79" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" points="{points}"/>')
with open(sys.argv[2], "w", encoding="utf-8") as picture:
    picture.write("\n".join(lines) + "\n</svg>\n")
