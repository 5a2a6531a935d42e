// Numbers and times as people read them.

export function numberText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(3);
  const digits = size >= 1e5 ? 1 : size >= 1000 ? 2 : size >= 100 ? 3 : size >= 10 ? 4 : 5;
  return (Object.is(value, -0) ? 0 : value).toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

export function unitText(unit: string): string {
  return unit === "1" ? "" : unit.replace("^2", "²").replace("deg", "°");
}

export function timeText(seconds: number, digits = 3): string {
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(digits);
  return minutes > 0 ? `${minutes}:${rest.padStart(3 + digits, "0")}` : rest;
}

export const kFrames: Record<string, string> = { W: "world", B: "body", G: "geographic" };

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found as T;
}
