// What charts draw: fields of nodes, and the sides of expectations.
import type { Comparison, Outcome, Values } from "./data";
import { numberText } from "./format";

export interface Series {
  /** Of its chart, and in links: "node:field"; of an expectation "!0". */
  key: string;
  label: string;
  color: string;
  dash?: number[];
  column(): Float32Array | Float64Array | null;
  text(row: number): string;
}

const shown = (value: number | string | null | undefined) => (typeof value === "number" ? numberText(value) : "");

export function fieldSeries(values: Values, node: string, field: number, color: string): Series {
  const name = values.node(node)?.fields[field]?.[0] ?? "";
  return {
    key: `${node}:${name}`,
    label: `${node} · ${name}`,
    color,
    column: () => values.column(node, field),
    text: (row) => shown(values.value(node, field, row)),
  };
}

export const kBound = "#ff6b6b";

/** Signal and bound of an expectation. */
export function sideSeries(values: Values, expectation: number): Series[] {
  const { comparisons, outcome } = values.head.expectations[expectation];
  const comparison = comparisons[outcome.deciding] ?? comparisons[0];
  const side = (which: 0 | 1, label: string, color: string, dash?: number[]): Series => ({
    key: `!${expectation}`,
    label,
    color,
    dash,
    column: () => values.sides(expectation)?.[which] ?? null,
    text: (row) => shown(values.sides(expectation)?.[which][row]),
  });
  return [side(0, comparison.left, "#4c9aff"), side(1, `${comparison.comparison} ${comparison.right}`, kBound, [6, 4])];
}

export function canBeDrawn(comparisons: Comparison[], outcome: Outcome): boolean {
  return ((comparisons[outcome.deciding] ?? comparisons[0])?.comparison ?? "") !== "";
}

/** Times between which a comparison does not hold: pairs of first and last row. */
export function brokenRows(comparison: string, left: ArrayLike<number>, right: ArrayLike<number>, rows: number): [number, number][] {
  const holds: Record<string, (a: number, b: number) => boolean> = {
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
    "==": (a, b) => a === b,
    "!=": (a, b) => a !== b,
  };
  const test = holds[comparison];
  const found: [number, number][] = [];
  if (!test) return found;
  for (let row = 0; row < Math.min(rows, left.length); ++row) {
    if (test(left[row], right[row])) continue;
    const last = found[found.length - 1];
    if (last && last[1] === row - 1) last[1] = row;
    else if (found.length < 2000) found.push([row, row]);
  }
  return found;
}
