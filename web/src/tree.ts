// The simulation tree with live values, and the values of the selected node.
import type { Head, Values } from "./data";
import { byId, element, kFrames, numberText, unitText } from "./format";

interface TreeRow {
  name: string; // full
  local: string;
  kind: string;
  children: TreeRow[];
  depth: number;
}

const fixed = (x: number, decimals: number) => (Number(x.toFixed(decimals)) || 0).toFixed(decimals); // not -0
const kMaxFields = 60; // shown of a node at once

export interface TreeEvents {
  selected(name: string): void;
  charted(name: string, field: number): void;
  focused(name: string): void;
  isCharted(name: string, field: number): boolean;
  /** Least and greatest value of what can be set now; null: it cannot. */
  rangeOf(name: string, field: string): [number, number] | null;
  set(name: string, field: string, value: number): void;
}

/** Siblings keep their order, but for numbered ones: car2 comes before car10. */
function inOrder(rows: TreeRow[]): void {
  const parts = (row: TreeRow) => /^(.*?)(\d{1,9})$/.exec(row.local);
  for (let from = 0; from < rows.length; ) {
    const stem = parts(rows[from])?.[1];
    let to = from + 1;
    while (stem !== undefined && to < rows.length && parts(rows[to])?.[1] === stem) ++to;
    const run = rows.slice(from, to).sort((a, b) => (stem === undefined ? 0 : Number(parts(a)?.[2]) - Number(parts(b)?.[2])));
    rows.splice(from, run.length, ...run);
    from = to;
  }
  for (const row of rows) inOrder(row.children);
}

export class Tree {
  private readonly roots: TreeRow[] = [];
  private readonly byName = new Map<string, TreeRow>();
  private readonly open = new Set<string>();
  private rows: { row: TreeRow; element: HTMLElement; first: HTMLElement }[] = [];
  private readonly box = byId("tree");
  private readonly panel = byId("values-panel");
  private readonly search = byId<HTMLInputElement>("search");
  private cells: { field: number; element: HTMLElement }[] = [];
  private allFields = false;
  private readonly decimals: number; // of places: of cars 0.1 m, of what is smaller than half a meter 1 mm
  selected = "";

  constructor(
    head: Head,
    private readonly values: Values,
    private readonly events: TreeEvents,
  ) {
    const radii = (head.world?.movers ?? []).filter((mover) => !mover.wheel).map((mover) => mover.radius);
    this.decimals = Math.min(...radii) < 0.25 ? 3 : 1;
    const names = [
      ...head.nodes.map((node) => [node.name, node.kind] as const),
      ...(head.world?.movers ?? []).filter((mover) => !values.node(mover.name)).map((mover) => [mover.name, "body"] as const),
    ];
    for (const [name, kind] of names) this.insert(name, kind);
    inOrder(this.roots);
    for (const root of this.roots) {
      this.open.add(root.name);
      if (this.roots.length <= 3) for (const child of root.children) this.open.add(child.name);
    }
    this.search.addEventListener("input", () => this.build());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.search.value = "";
        this.search.blur();
        this.build();
      } else if (event.key === "Enter" && this.rows[0]) {
        const first = this.rows.find(({ row }) => this.matches(row)) ?? this.rows[0];
        this.events.selected(first.row.name);
      }
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("scroll", () => this.refreshFirst());
    this.build();
  }

  private insert(name: string, kind: string): TreeRow {
    const known = this.byName.get(name);
    if (known) {
      if (kind) known.kind = kind;
      return known;
    }
    const dot = name.lastIndexOf(".");
    const parent = dot > 0 ? this.insert(name.slice(0, dot), "") : null;
    const row: TreeRow = { name, local: name.slice(dot + 1), kind, children: [], depth: parent ? parent.depth + 1 : 0 };
    (parent?.children ?? this.roots).push(row);
    this.byName.set(name, row);
    return row;
  }

  private matches(row: TreeRow): boolean {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fields = this.values.node(row.name)?.fields.slice(0, kMaxFields).map((field) => field[0]).join(" ") ?? "";
    const text = `${row.name} ${row.kind} ${fields}`.toLowerCase();
    return words.every((word) => text.includes(word));
  }

  private build(): void {
    const searching = this.search.value.trim() !== "";
    const shown = new Set<TreeRow>();
    const visit = (row: TreeRow): boolean => {
      const below = row.children.map(visit).some(Boolean);
      const use = !searching || below || this.matches(row);
      if (use) shown.add(row);
      return use;
    };
    this.roots.forEach(visit);
    this.rows = [];
    const fragment = document.createDocumentFragment();
    const add = (row: TreeRow) => {
      if (!shown.has(row) || this.rows.length >= 5000) return;
      fragment.append(this.rowElement(row, searching));
      if (searching || this.open.has(row.name)) row.children.forEach(add);
    };
    this.roots.forEach(add);
    if (this.rows.length === 0) fragment.append(element("p", { class: "empty" }, searching ? "Nothing matches." : "The trace has no nodes."));
    this.box.replaceChildren(fragment);
    this.refreshFirst();
  }

  private rowElement(row: TreeRow, searching: boolean): HTMLElement {
    const fold = element("span", { class: "fold" }, row.children.length ? (searching || this.open.has(row.name) ? "▾" : "▸") : "");
    const name = element("span", { class: "name" });
    const word = this.search.value.trim().toLowerCase();
    const at = word ? row.local.toLowerCase().indexOf(word) : -1;
    if (at >= 0)
      name.append(row.local.slice(0, at), element("mark", {}, row.local.slice(at, at + word.length)), row.local.slice(at + word.length));
    else name.append(row.local);
    const first = element("span", { class: "first" });
    const made = element(
      "div",
      {
        class: "row",
        role: "treeitem",
        style: `--depth:${row.depth}`,
        "aria-level": String(row.depth + 1),
        "aria-selected": String(row.name === this.selected),
        title: row.name,
      },
      fold,
      name,
      element("span", { class: "kind" }, row.kind === "body" ? "" : row.kind),
      first,
    );
    if (row.children.length) made.setAttribute("aria-expanded", String(this.open.has(row.name)));
    made.dataset.name = row.name;
    made.addEventListener("click", (event) => {
      if (event.target === fold && row.children.length) this.toggle(row.name);
      else this.events.selected(row.name);
    });
    made.addEventListener("dblclick", () => this.events.focused(row.name));
    this.rows.push({ row, element: made, first });
    return made;
  }

  private toggle(name: string): void {
    if (this.open.has(name)) this.open.delete(name);
    else this.open.add(name);
    this.build();
  }

  private key(event: KeyboardEvent): void {
    const at = this.rows.findIndex(({ row }) => row.name === this.selected);
    const row = this.rows[at]?.row;
    const go = (to: number) => this.rows[to] && this.events.selected(this.rows[to].row.name);
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(Math.max(0, at - 1));
    else if (event.key === "ArrowRight" && row?.children.length && !this.open.has(row.name)) this.toggle(row.name);
    else if (event.key === "ArrowLeft" && row?.children.length && this.open.has(row.name)) this.toggle(row.name);
    else if (event.key === "Enter" && row) this.events.focused(row.name);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  select(name: string): void {
    if (this.selected === name) return;
    this.selected = name;
    this.allFields = false;
    let hidden = false;
    for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
      const above = name.slice(0, dot);
      if (!this.open.has(above) && this.byName.has(above)) {
        this.open.add(above);
        hidden = true;
      }
    }
    if (hidden) this.build();
    for (const { row, element: each } of this.rows) each.setAttribute("aria-selected", String(row.name === name));
    this.rows.find(({ row }) => row.name === name)?.element.scrollIntoView({ block: "nearest" });
    this.buildValues();
  }

  /** Anew, also when fields enter or leave the charts. */
  buildValues(): void {
    const { selected } = this;
    this.cells = [];
    const row = this.byName.get(selected);
    if (!row) {
      this.panel.replaceChildren();
      return;
    }
    const node = this.values.node(selected);
    const focus = element("button", { title: "Look at it (F)" }, "Focus");
    focus.addEventListener("click", () => this.events.focused(selected));
    const head = element(
      "div",
      { class: "values-head" },
      element("h2", {}, selected, element("small", {}, node ? node.kind : row.kind === "body" ? "body, not traced" : "not traced")),
      focus,
    );
    this.settings = [];
    const table = element("table", { class: "fields" });
    const fields = node?.fields ?? [];
    fields.slice(0, this.allFields ? fields.length : kMaxFields).forEach(([name, unit, frame, kind], field) => {
      const value = element("td", { class: kind === "text" ? "text" : "number" });
      this.cells.push({ field, element: value });
      const line = element("tr", {}, element("td", {}, name), value, element("td", { class: "unit" }, unitText(unit)));
      line.append(element("td", { class: "frame", title: kFrames[frame] ? `in the ${kFrames[frame]} frame` : "" }, frame));
      const act = element("td", { class: "act" });
      if (kind !== "text") {
        const on = this.events.isCharted(selected, field);
        const chart = element(
          "button",
          { class: "quiet", title: on ? "Remove it from the charts" : "Draw a chart of it", "aria-label": `Chart of ${name}`, "aria-pressed": String(on) },
          on ? "−" : "+",
        );
        chart.addEventListener("click", () => this.events.charted(selected, field));
        act.append(chart);
      }
      line.append(act);
      table.append(line);
      const range = this.events.rangeOf(selected, name);
      if (range) table.append(this.slider(name, field, range));
    });
    this.panel.replaceChildren(head, table);
    if (!this.allFields && fields.length > kMaxFields) {
      const more = element("button", { class: "more" }, `All ${fields.length} fields`);
      more.addEventListener("click", () => {
        this.allFields = true;
        this.buildValues();
      });
      this.panel.append(more);
    }
    this.refreshValues();
  }

  /** A line with which a field is set. */
  private slider(name: string, field: number, [low, high]: [number, number]): HTMLElement {
    const { selected } = this;
    const value = this.values.value(selected, field, this.row_);
    const step = String((high - low) / 200 || 0.01);
    const shown = this.given.get(`${selected}\0${field}`) ?? (typeof value === "number" ? value : 0);
    const bounds = { min: String(low), max: String(high), value: String(shown), "data-set": name };
    const slide = element("input", { type: "range", step, "aria-label": `Set ${name}`, ...bounds });
    const exact = element("input", { type: "number", step: "any", "aria-label": `Set ${name} to a number`, ...bounds });
    const give = (given: number) => {
      this.given.set(`${selected}\0${field}`, given);
      this.events.set(selected, name, given);
    };
    slide.addEventListener("input", () => {
      exact.value = slide.value;
      give(Number(slide.value));
    });
    exact.addEventListener("change", () => {
      if (exact.value.trim() === "" || !Number.isFinite(Number(exact.value))) return;
      slide.value = exact.value;
      give(Number(exact.value));
    });
    this.settings.push({ field, slide, exact });
    return element("tr", { class: "setting" }, element("td", { colspan: "5" }, element("div", {}, slide, exact)));
  }

  private row_ = 0;
  /** Shows the values of a row of the trace. */
  refresh(row: number): void {
    this.row_ = row;
    this.refreshFirst();
    this.refreshValues();
  }

  /** What this viewer has set and no row shows yet, by node and field: a run that is paused takes it over with its next step. */
  private readonly given = new Map<string, number>();
  private settings: { field: number; slide: HTMLInputElement; exact: HTMLInputElement }[] = [];
  private refreshSettings(): void {
    for (const { field, slide, exact } of this.settings) {
      const value = this.values.value(this.selected, field, this.row_);
      if (typeof value !== "number") continue;
      const key = `${this.selected}\0${field}`;
      const given = this.given.get(key);
      if (given !== undefined && Math.abs(given - value) > 1e-9) continue;
      this.given.delete(key);
      if (document.activeElement !== slide) slide.value = String(value);
      if (document.activeElement !== exact) exact.value = numberText(value);
    }
  }

  private refreshValues(): void {
    this.refreshSettings();
    for (const { field, element: cell } of this.cells) {
      const value = this.values.value(this.selected, field, this.row_);
      cell.textContent = value === null ? "…" : typeof value === "number" ? numberText(value) : value;
    }
  }

  /** The first value of each node in sight. */
  private refreshFirst(): void {
    // All places are read before anything is written: each change would have the next one laid out again.
    const box = this.box.getBoundingClientRect();
    const inSight = this.rows.filter(({ element: each }) => {
      const place = each.getBoundingClientRect();
      return place.bottom >= box.top && place.top <= box.bottom;
    });
    for (const { row, first } of inSight) {
      const node = this.values.node(row.name);
      const isPose = node?.fields[0]?.[0] === "x" && node.fields[2]?.[0] === "z";
      if (!node || node.fields.length === 0) continue;
      const value = (field: number) => this.values.value(row.name, field, this.row_);
      if (isPose) {
        const [x, z] = [value(0), value(2)];
        first.textContent = typeof x === "number" && typeof z === "number" ? `${fixed(x, this.decimals)}, ${fixed(z, this.decimals)}` : "";
        continue;
      }
      const v = value(0);
      if (v === null) continue;
      const bold = element("b", {}, typeof v === "number" ? numberText(Number(v.toPrecision(4))) : v.slice(0, 18));
      first.replaceChildren(bold, ` ${unitText(node.fields[0][1])}`);
    }
  }
}
