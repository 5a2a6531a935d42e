// A run that goes on: rows come over a WebSocket, commands go back (docs/serve.md).
import type { Vector3 } from "three";
import { bytesOf, type Head, isText, type Outcome, Values } from "./data";
import { Motion } from "./motion";

const kMaxBytes = 64e6; // of values and poses that are kept
const kMaxRows = 20_000;

/** How many rows are kept; when they are full, the oldest quarter goes. */
export function liveCapacity(head: Head): number {
  const fields = head.nodes.flatMap((node) => node.fields);
  const time = 8;
  const values = fields.reduce((sum, field) => sum + bytesOf(field), 0);
  const poses = 28 * (head.world?.movers.length ?? 0);
  const sides = 8 * head.expectations.reduce((sum, each) => sum + each.comparisons.length, 0);
  return Math.max(64, Math.min(kMaxRows, Math.floor(kMaxBytes / (time + values + poses + sides))));
}

/** One message of the run's state. */
export interface Frame {
  step: number;
  numbers: Float64Array;
  poses: Float32Array;
  /** Left and right side of each comparison of the expectations. */
  sides: Float32Array;
  texts: string[];
}

/** Reads what LiveView::frame() made (lib/serve/live_view.hpp); null: it is not for this page. */
export function readFrame(buffer: ArrayBuffer, head: Head): Frame | null {
  const numbers = head.nodes.reduce((sum, node) => sum + node.fields.filter((field) => !isText(field)).length, 0);
  const poses = (head.world?.movers ?? []).reduce((sum, mover) => sum + (mover.wheel ? 3 : 7), 0);
  const sides = 2 * head.expectations.reduce((sum, each) => sum + each.comparisons.length, 0);
  const end = 16 + 8 * numbers + 4 * (poses + sides);
  if (buffer.byteLength < end) return null;
  const [kind, texts] = new Uint32Array(buffer, 0, 2);
  if (kind !== 1) return null;
  const lines = new TextDecoder().decode(new Uint8Array(buffer, end)).split("\n");
  if (lines.length !== texts + 1) return null;
  return {
    step: new Float64Array(buffer, 8, 1)[0],
    numbers: new Float64Array(buffer, 16, numbers),
    poses: new Float32Array(buffer, 16 + 8 * numbers, poses),
    sides: new Float32Array(buffer, 16 + 8 * numbers + 4 * poses, sides),
    texts: lines.slice(0, texts),
  };
}

export class LiveValues extends Values {
  private readonly order: (Float32Array | Float64Array)[] = []; // columns as numbers come in a frame
  private readonly lines: string[][] = []; // [text field][row]
  private readonly sideColumns: Float32Array[] = []; // as in a frame
  private readonly buffer: Float64Array<ArrayBuffer>;

  constructor(
    head: Head,
    private readonly capacity: number,
  ) {
    super(head);
    head.rows = 0;
    this.buffer = new Float64Array(capacity);
    for (const node of head.nodes)
      node.fields.forEach((field, f) => {
        if (isText(field)) {
          this.lines.push([]);
          return;
        }
        const column = bytesOf(field) === 8 ? new Float64Array(capacity) : new Float32Array(capacity);
        this.order.push(column);
        this.columns.set(`${node.name}\0${f}`, column);
      });
    for (const { comparisons } of head.expectations)
      for (let i = 0; i < 2 * comparisons.length; ++i) this.sideColumns.push(new Float32Array(capacity));
    this.ready = true;
  }

  override sides(expectation: number): [Float32Array, Float32Array] | null {
    let first = 0;
    for (let i = 0; i < expectation; ++i) first += this.head.expectations[i].comparisons.length;
    const at = 2 * (first + this.head.expectations[expectation].outcome.deciding);
    const [left, right] = [this.sideColumns[at], this.sideColumns[at + 1]];
    return left && right ? [left, right] : null;
  }

  override async loadSteps(): Promise<void> {}
  override async load(_events: object): Promise<void> {}

  clear(): void {
    this.head.rows = 0;
    this.steps = this.buffer.subarray(0, 0);
    for (const line of this.lines) line.length = 0;
  }

  /** Number of rows that were dropped to make room. */
  append(frame: Frame): number {
    let dropped = 0;
    if (this.head.rows === this.capacity) {
      dropped = this.capacity >> 2;
      for (const column of [this.buffer, ...this.order, ...this.sideColumns]) column.copyWithin(0, dropped);
      for (const line of this.lines) line.splice(0, dropped);
      this.head.rows -= dropped;
    }
    const row = this.head.rows++;
    this.buffer[row] = frame.step;
    this.steps = this.buffer.subarray(0, row + 1);
    for (let i = 0; i < this.order.length; ++i) this.order[i][row] = frame.numbers[i];
    for (let i = 0; i < this.sideColumns.length; ++i) this.sideColumns[i][row] = frame.sides[i];
    for (let i = 0; i < this.lines.length; ++i) this.lines[i].push(frame.texts[i]);
    return dropped;
  }

  override column(name: string, field: number): Float32Array | Float64Array | null {
    return this.columns.get(`${name}\0${field}`) ?? null;
  }

  override value(name: string, field: number, row: number): number | string | null {
    const n = this.indexOf.get(name);
    if (n === undefined || row < 0 || row >= this.head.rows) return null;
    const fields = this.head.nodes[n].fields;
    if (!isText(fields[field])) return this.column(name, field)?.[row] ?? null;
    let line = fields.slice(0, field).filter(isText).length;
    for (let i = 0; i < n; ++i) line += this.head.nodes[i].fields.filter(isText).length;
    return this.lines[line]?.[row] ?? null;
  }
}

export class LiveMotion extends Motion {
  constructor(
    head: Head,
    middle: Vector3,
    capacity: number,
  ) {
    super(head, middle);
    if (!head.world) return;
    head.world.motionRows = 0;
    const column = () => new Float32Array(capacity);
    for (const mover of head.world.movers) {
      const { wheel } = mover;
      this.bodies.push(wheel ? null : { x: column(), y: column(), z: column(), q: new Float32Array(4 * capacity) });
      this.wheels.push(wheel ? { chassis: this.index(wheel.chassis), length: column(), steering: column(), rotation: column() } : null);
    }
  }

  override async load(): Promise<void> {}

  clear(): void {
    if (this.head.world) this.head.world.motionRows = 0;
    this.chassisKey = [-1, -1, -1];
  }

  /** @param dropped  rows that LiveValues.append() has dropped */
  append(frame: Frame, dropped: number): void {
    const { world } = this.head;
    if (!world) return;
    this.chassisKey = [-1, -1, -1];
    if (dropped > 0) {
      for (const body of this.bodies) {
        if (!body) continue;
        for (const each of [body.x, body.y, body.z]) each.copyWithin(0, dropped);
        body.q.copyWithin(0, 4 * dropped);
      }
      for (const wheel of this.wheels)
        if (wheel) for (const each of [wheel.length, wheel.steering, wheel.rotation]) each.copyWithin(0, dropped);
      world.motionRows -= dropped;
    }
    const row = world.motionRows++;
    let at = 0;
    for (let i = 0; i < world.movers.length; ++i) {
      const [body, wheel] = [this.bodies[i], this.wheels[i]];
      const p = frame.poses;
      if (body) {
        body.x[row] = p[at] - this.middle.x;
        body.y[row] = p[at + 1] - this.middle.y;
        body.z[row] = p[at + 2] - this.middle.z;
        body.q.set(p.subarray(at + 3, at + 7), 4 * row);
        at += 7;
      } else if (wheel) {
        wheel.length[row] = p[at];
        wheel.steering[row] = p[at + 1];
        wheel.rotation[row] = p[at + 2];
        at += 3;
      }
    }
  }
}

export interface LiveState {
  session: number;
  step: number;
  time: number;
  running: boolean;
  speed: number;
  rate: number;
  until: number | null;
  failed: boolean;
  settings: number;
  viewers: number;
  dropped: number;
  /** The robot whose program has not connected yet, without which no step is made; empty: none. */
  waits_for: string;
  expectations: Outcome[];
}
export interface LiveMessage {
  severity: string;
  code: string;
  text: string;
  step: number;
}
export interface LiveEvents {
  frame(frame: ArrayBuffer): void;
  state(state: LiveState): void;
  message(message: LiveMessage): void;
  problem(text: string): void;
  /** Another run has begun; everything so far is over. */
  reset(): void;
  connected(on: boolean): void;
}

export type LiveCommand =
  | { do: "run"; until?: number }
  | { do: "pause" | "reset" }
  | { do: "step"; steps: number }
  | { do: "speed"; times: number }
  | { do: "open"; scenario: number }
  | { do: "program"; robot: string; program: number }
  | { do: "set"; device: string; input: string; value: number };

/** The connection; it comes back by itself. */
export class Connection {
  private socket: WebSocket | null = null;
  private session = 0;
  private page = "";

  constructor(private readonly events: LiveEvents) {
    this.open();
  }

  private open(): void {
    const address = new URL("live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => this.events.connected(true));
    socket.addEventListener("message", (event) => this.take(event.data as string | ArrayBuffer));
    socket.addEventListener("close", () => {
      this.events.connected(false);
      setTimeout(() => this.open(), 1000);
    });
    this.socket = socket;
  }

  private take(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.events.frame(data);
      return;
    }
    const message = JSON.parse(data) as {
      hello?: { session: number; page: string };
      state?: LiveState;
      message?: LiveMessage;
      answer?: { problem: string };
    };
    if (message.state) this.events.state(message.state);
    else if (message.message) this.events.message(message.message);
    else if (message.answer?.problem) this.events.problem(message.answer.problem);
    else if (message.hello) {
      const { session, page } = message.hello;
      // Other inputs than those of this page: its scene is another one.
      if (this.page && this.page !== page) location.reload();
      if (this.session !== 0 && this.session !== session) this.events.reset();
      this.session = session;
      this.page = page;
    }
  }

  send(command: LiveCommand): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}
