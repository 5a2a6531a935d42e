// What simrun replay put into the page: a head in JSON, and blocks of numbers (docs/viewer.md).
import { doubles, floats } from "./planes";
import { kTooOld, unpacked } from "./unpack";

/** Name, unit, frame, and how it is stored. */
export type Field = [name: string, unit: string, frame: string, kind: "float" | "double" | "text"];
export interface TreeDevice {
  name: string;
  kind: string;
  fields: Field[];
}
/** Texts are apart from numbers, and have no columns. */
export function isText(field: Field): boolean {
  const [, , , kind] = field;
  return kind === "text";
}
/** Bytes of a number. */
export function bytesOf(field: Field): number {
  const [, , , kind] = field;
  return kind === "double" ? 8 : 4;
}
export interface Message {
  severity: string;
  code: string;
  text: string;
  file: string;
  line: number;
}
export interface MoverHead {
  name: string;
  radius: number;
  shapes?: { points: number[]; indices: number[] }[];
  wheel?: { chassis: string; position: [number, number, number]; radius: number };
}
export interface CameraHead {
  name: string;
  body: string;
  pose: number[];
  fov: number;
  aspect: number;
}
export interface LightHead {
  name: string;
  part: string;
  position: number[];
  direction: number[];
  cosine: number;
  color: number[];
}
export interface RayHead {
  name: string;
  part: string;
  position: number[];
  far: number;
  directions: number[];
}
export interface WorldHead {
  /** The world's own; may be empty. */
  name: string;
  fixed: string[];
  shapes: number;
  instances: number;
  owners: [string, number][];
  /** Names of the numbers that paints begin with. */
  materials: string[];
  paints: number[][];
  movers: MoverHead[];
  motionRows: number;
  plain: number | null;
  /** The plain is the ground itself, and not only what lies around a terrain. */
  plainIsGround: boolean;
  water: number | null;
  cameras: CameraHead[];
  lights: LightHead[];
  rays: RayHead[];
}
/** A comparison of an expectation; without a sign it is an event, which has no sides to draw. */
export interface Comparison {
  comparison: string;
  left: string;
  right: string;
  unit: string;
}
/** What has become of an expectation: docs/formats/trace.md. */
export interface Outcome {
  verdict: "holds" | "fails" | "undecided";
  margin: number | null;
  unit: string;
  step: number | null;
  time: number;
  condition: string;
  left: number | null;
  right: number | null;
  decided: number | null;
  /** Which of its comparisons decides. */
  deciding: number;
}
export interface ExpectationHead {
  name: string;
  text: string;
  /** First rows that have the sides of the comparison; of a live run all have them. */
  rows: number;
  comparisons: Comparison[];
  outcome: Outcome;
}
export interface Head {
  format: number;
  generator: string;
  scenario: string;
  seed: string;
  dt: number;
  every: number;
  requested: number;
  engine: string;
  rows: number;
  end: { outcome: string; message: string; steps: number; time: number; hash: string } | null;
  inputs: [string, string][];
  nodes: TreeDevice[];
  blocks: number[];
  messages?: Message[];
  expectations: ExpectationHead[];
  fixedStep: number;
  shapeStep: number;
  poseStep: number;
  wheelStep: number;
  spinStep: number;
  turnScale: number;
  world?: WorldHead;
}

/** Something about the page's data that a person must know, in one sentence. */
export class PageError extends Error {}

function blockElement(name: string, index = 0): Element | undefined {
  return document.querySelectorAll(`script[data-block="${name}"]`)[index];
}

export function readHead(): Head {
  const element = blockElement("head");
  if (!element) throw new PageError("This page is an empty template: simrun replay fills it with a run.");
  let head: Head;
  try {
    head = JSON.parse(element.textContent ?? "") as Head;
  } catch {
    throw new PageError("The data in this page are damaged: its header cannot be read.");
  }
  if (head.format !== 1) throw new PageError(`This page has data of format ${head.format}, and its program reads format 1.`);
  return head;
}

/** What a page that follows a run has besides; null: a replay. */
export interface LiveHead {
  protocol: number;
  /** Least and greatest value of what can be set, by node and field. */
  settable: Record<string, Record<string, [number, number]>>;
  /** That can be chosen, and which one this is. */
  scenarios: string[];
  scenario: number;
  /** Robots whose programs can be chosen. */
  programs: { robot: string; names: string[]; chosen: number }[];
}

export function readLive(): LiveHead | null {
  const element = blockElement("live");
  if (!element) return null;
  const live = JSON.parse(element.textContent ?? "") as LiveHead;
  if (live.protocol !== 1) throw new PageError(`The simulator speaks version ${live.protocol}, and this page version 1.`);
  return live;
}

/** A block, inflated; null if the page has none of this name. @param keep  it will be read again */
export async function readBlock(name: string, index = 0, keep = false): Promise<Uint8Array | null> {
  const element = blockElement(name, index);
  if (!element) return null;
  if (typeof DecompressionStream === "undefined") throw new PageError(kTooOld);
  try {
    const bytes = await unpacked(element.textContent ?? "");
    if (!keep) element.textContent = ""; // memory
    return bytes;
  } catch {
    throw new PageError(`The data in this page are damaged: block "${name}" cannot be unpacked.`);
  }
}

/** Reads zigzag variable-length integers. */
export class IntegerReader {
  private at = 0;
  constructor(
    private readonly bytes: Uint8Array,
    private readonly name: string,
  ) {}

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new PageError(`The data in this page are damaged: block "${this.name}" is too short.`);
    return byte;
  }

  next(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Differences of neighbors, times `step`. */
  differences<T extends Float32Array | Float64Array | Uint32Array>(into: T, step = 1): T {
    let last = 0;
    for (let i = 0; i < into.length; ++i) into[i] = (last += this.next()) * step;
    return into;
  }

  secondDifferences<T extends Float32Array | Float64Array>(into: T, step = 1, offset = 0): T {
    let last = 0;
    let slope = 0;
    for (let i = 0; i < into.length; ++i) {
      slope += this.next();
      last += slope;
      into[i] = last * step - offset;
    }
    return into;
  }
}

/** The texts of one field (append_texts() in lib/view/blocks.hpp), decoded when they are asked for. */
class Texts {
  private readonly bytes: Uint8Array;
  private readonly start: Float64Array;
  private readonly size: Int32Array;

  constructor(reader: IntegerReader, rows: number) {
    this.start = new Float64Array(rows);
    this.size = new Int32Array(rows);
    let all = 0;
    let fresh: number[] = [];
    for (let row = 0; row < rows; ++row) {
      const size = reader.next() - 1;
      this.start[row] = size < 0 ? (this.start[row - 1] ?? 0) : all;
      this.size[row] = size < 0 ? (this.size[row - 1] ?? 0) : size;
      if (size <= 0) continue;
      all += size;
      fresh.push(row);
    }
    this.bytes = new Uint8Array(all);
    for (let place = 0; fresh.length > 0; ++place) {
      for (const row of fresh) this.bytes[this.start[row] + place] = reader.byte();
      if (fresh.some((row) => this.size[row] === place + 1)) fresh = fresh.filter((row) => this.size[row] > place + 1);
    }
  }

  of(row: number): string {
    return new TextDecoder().decode(this.bytes.subarray(this.start[row], this.start[row] + this.size[row]));
  }
}

const kMaxAtOnce = 64e6; // characters of blocks in a page that is unpacked when it is opened
const kMaxBytes = 256e6; // of unpacked blocks that are kept
const kMaxColumns = 256e6; // bytes of decoded columns that are kept

/** The blocks of values. Those of a large page are unpacked when they are asked for, and the oldest make room. */
class ValueBlocks {
  private readonly raw = new Map<number, Uint8Array>(); // those that were asked for last come last
  private readonly coming = new Set<number>();
  private bytes = 0;
  isLarge = false;
  events = { arrived(): void {}, failed(_error: unknown): void {} };

  async load(count: number, events: { arrived(): void; failed(error: unknown): void }): Promise<void> {
    this.events = events;
    let size = 0;
    for (let block = 0; block < count; ++block) size += blockElement("values", block)?.textContent?.length ?? 0;
    this.isLarge = size > kMaxAtOnce || new URLSearchParams(location.hash.slice(1)).get("unpack") === "later";
    for (let block = 0; block < count && !this.isLarge; ++block) {
      const bytes = await readBlock("values", block);
      if (bytes) this.raw.set(block, bytes);
    }
  }

  /** null while it is not there. */
  get(block: number): Uint8Array | null {
    const bytes = this.raw.get(block);
    if (bytes && this.isLarge) {
      this.raw.delete(block);
      this.raw.set(block, bytes);
    }
    if (!bytes && this.isLarge && !this.coming.has(block)) {
      this.coming.add(block);
      void this.fetch(block).then(this.events.arrived, this.events.failed);
    }
    return bytes ?? null;
  }

  private async fetch(block: number): Promise<void> {
    const bytes = await readBlock("values", block, true);
    if (!bytes) return; // it stays "coming"
    this.coming.delete(block);
    this.raw.set(block, bytes);
    this.bytes += bytes.length;
    for (const [oldest, each] of this.raw) {
      if (this.bytes <= kMaxBytes || oldest === block) break;
      this.raw.delete(oldest);
      this.bytes -= each.length;
    }
  }
}

/** Values of all fields, decoded when they are asked for. */
export class Values {
  private readonly blocks = new ValueBlocks();
  protected readonly columns = new Map<string, Float32Array | Float64Array>();
  private columnBytes = 0;
  private texts: Texts[][] | null = null;
  private readsTexts = false;
  protected readonly indexOf = new Map<string, number>();
  steps = new Float64Array(0);
  ready = false;

  constructor(readonly head: Head) {
    head.nodes.forEach((node, i) => this.indexOf.set(node.name, i));
  }

  async loadSteps(): Promise<void> {
    const bytes = await readBlock("steps");
    if (bytes) this.steps = new IntegerReader(bytes, "steps").secondDifferences(new Float64Array(this.head.rows));
  }

  /** Of a large page no more than what is asked for is unpacked, later: `arrived` is called each time something has been. */
  async load(events: { arrived(): void; failed(error: unknown): void }): Promise<void> {
    await this.blocks.load(this.head.blocks.length, events);
    await this.loadSides();
    if (!this.blocks.isLarge) await this.loadTexts();
    this.ready = true;
  }

  private async loadTexts(): Promise<void> {
    this.readsTexts = true;
    const bytes = await readBlock("texts");
    if (!bytes) return;
    const reader = new IntegerReader(bytes, "texts");
    this.texts = this.head.nodes.map((node) => node.fields.filter(isText).map(() => new Texts(reader, this.head.rows)));
  }

  get isLarge(): boolean {
    return this.blocks.isLarge;
  }

  /** The row at or before a time, and the share of the way to the next one. */
  rowAt(time: number): [number, number] {
    const { steps } = this;
    if (steps.length === 0) return [0, 0];
    const step = time / this.head.dt + 1e-6;
    let [low, high] = [0, steps.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (steps[middle] <= step) low = middle;
      else high = middle - 1;
    }
    const next = steps[Math.min(low + 1, steps.length - 1)];
    const share = next > steps[low] ? Math.min(1, Math.max(0, (step - 1e-6 - steps[low]) / (next - steps[low]))) : 0;
    return [low, share < 1e-5 ? 0 : share];
  }

  node(name: string): TreeDevice | undefined {
    const i = this.indexOf.get(name);
    return i === undefined ? undefined : this.head.nodes[i];
  }

  time(row: number): number {
    return (this.steps[row] ?? 0) * this.head.dt;
  }

  /** All rows of a field of numbers, and perhaps room for more; null for texts, and while loading. */
  column(name: string, field: number): Float32Array | Float64Array | null {
    const key = `${name}\0${field}`;
    const known = this.columns.get(key);
    if (known) {
      this.columns.delete(key); // those that were asked for last come last
      this.columns.set(key, known);
      return known;
    }
    const n = this.indexOf.get(name);
    if (n === undefined || !this.ready || field < 0) return null;
    const { nodes, blocks, rows } = this.head;
    if (!nodes[n].fields[field] || isText(nodes[n].fields[field])) return null;
    let block = 0;
    while (block + 1 < blocks.length && blocks[block + 1] <= n) ++block;
    const bytes = this.blocks.get(block);
    if (!bytes) return null;
    let at = 0;
    for (let d = blocks[block]; d <= n; ++d) {
      const fields = nodes[d].fields;
      for (let f = 0; f < (d === n ? field : fields.length); ++f)
        if (!isText(fields[f])) at += 1 + rows * bytesOf(fields[f]);
    }
    const column = bytesOf(nodes[n].fields[field]) === 8 ? doubles(bytes, at, rows) : floats(bytes, at, rows);
    this.columns.set(key, column);
    this.columnBytes += column.byteLength;
    for (const [oldest, each] of this.columns) {
      if (this.columnBytes <= kMaxColumns || oldest === key) break;
      this.columns.delete(oldest);
      this.columnBytes -= each.byteLength;
    }
    return column;
  }

  /** A column by its field's name. */
  named(name: string, field: string): Float32Array | Float64Array | null {
    const node = this.node(name);
    return node ? this.column(name, node.fields.findIndex((f) => f[0] === field)) : null;
  }

  /** Both sides of the comparison that decides an expectation, row by row; null: it has none, or they are still being read. */
  sides(expectation: number): [Float32Array, Float32Array] | null {
    return this.comparisons[expectation] ?? null;
  }

  protected comparisons: ([Float32Array, Float32Array] | null)[] = [];
  protected async loadSides(): Promise<void> {
    const bytes = this.head.expectations.some((each) => each.rows > 0) ? await readBlock("sides") : null;
    if (!bytes) return;
    let at = 0;
    const next = (rows: number) => floats(bytes, (at += 1 + 4 * rows) - 1 - 4 * rows, rows);
    this.comparisons = this.head.expectations.map(({ rows }) => (rows > 0 ? [next(rows), next(rows)] : null));
  }

  value(name: string, field: number, row: number): number | string | null {
    const n = this.indexOf.get(name);
    if (n === undefined || !this.ready || row < 0 || row >= this.head.rows) return null;
    const fields = this.head.nodes[n].fields;
    if (!isText(fields[field])) return this.column(name, field)?.[row] ?? null;
    if (!this.readsTexts) void this.loadTexts().then(this.blocks.events.arrived, this.blocks.events.failed);
    const before = fields.slice(0, field).filter(isText).length;
    return this.texts?.[n][before]?.of(row) ?? null;
  }
}
