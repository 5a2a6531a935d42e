// Poses of everything that moves, between the rows too.
import { Quaternion, Vector3 } from "three";
import { type Head, IntegerReader, PageError, readBlock } from "./data";

export interface BodyMotion {
  x: Float32Array;
  y: Float32Array;
  z: Float32Array;
  q: Float32Array; // w, x, y, z of each row
}
export interface WheelMotion {
  chassis: number;
  length: Float32Array;
  steering: Float32Array;
  rotation: Float32Array;
}

export class Pose {
  p = new Vector3();
  q = new Quaternion();
}

const kUp = new Vector3(0, 1, 0);
const kAxle = new Vector3(1, 0, 0);

/** In the frame of the simulation, about `middle`. */
export class Motion {
  protected readonly bodies: (BodyMotion | null)[] = [];
  protected readonly wheels: (WheelMotion | null)[] = [];
  private readonly indexOf = new Map<string, number>();
  private readonly a = new Quaternion();
  private readonly b = new Quaternion();
  private readonly chassis = new Pose();
  protected chassisKey = [-1, -1, -1]; // mover, row and share of `chassis`: four wheels ask for the same one

  constructor(
    protected readonly head: Head,
    readonly middle: Vector3,
  ) {
    head.world?.movers.forEach((mover, i) => this.indexOf.set(mover.name, i));
  }

  index(name: string): number {
    return this.indexOf.get(name) ?? -1;
  }

  /** The mover of a node or of the nearest node above it; -1: none. */
  moverOf(name: string): number {
    for (let at = name; at; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
      const i = this.index(at);
      if (i >= 0) return i;
    }
    return (this.head.world?.movers ?? []).findIndex((mover) => !mover.wheel && mover.name.startsWith(`${name}.`));
  }

  async load(): Promise<void> {
    const world = this.head.world;
    const bytes = world && (await readBlock("motion"));
    if (!world || !bytes) return;
    const rows = world.motionRows;
    const reader = new IntegerReader(bytes, "motion");
    reader.secondDifferences(new Float64Array(rows)); // steps, the same as the trace's
    const { wheelStep, spinStep } = this.head;
    for (const mover of world.movers) {
      if (!mover.wheel) {
        this.bodies.push(this.readBody(reader, rows));
        this.wheels.push(null);
        continue;
      }
      this.bodies.push(null);
      this.wheels.push({
        chassis: this.index(mover.wheel.chassis),
        length: reader.secondDifferences(new Float32Array(rows), wheelStep),
        steering: reader.secondDifferences(new Float32Array(rows), wheelStep),
        rotation: reader.secondDifferences(new Float32Array(rows), spinStep),
      });
    }
  }

  private readBody(reader: IntegerReader, rows: number): BodyMotion {
    const { poseStep, turnScale } = this.head;
    const x = reader.secondDifferences(new Float32Array(rows), poseStep, this.middle.x);
    const y = reader.secondDifferences(new Float32Array(rows), poseStep, this.middle.y);
    const z = reader.secondDifferences(new Float32Array(rows), poseStep, this.middle.z);
    const left = reader.secondDifferences(new Float32Array(rows));
    const three = [0, 1, 2].map(() => reader.secondDifferences(new Float32Array(rows), 1 / turnScale));
    const q = new Float32Array(4 * rows);
    for (let i = 0; i < rows; ++i) {
      const out = left[i];
      if (!(out >= 0 && out < 4)) throw new PageError('The data in this page are damaged: block "motion" has no rotation.');
      let sum = 0;
      for (let k = 0, column = 0; k < 4; ++k) {
        if (k === out) continue;
        const v = three[column++][i];
        q[4 * i + k] = v;
        sum += v * v;
      }
      q[4 * i + out] = Math.sqrt(Math.max(0, 1 - sum));
    }
    return { x, y, z, q };
  }

  /** Of a mover between row and row + 1; false while nothing is loaded. */
  pose(mover: number, row: number, share: number, into: Pose): boolean {
    const last = (this.head.world?.motionRows ?? 0) - 1;
    if (last < 0) return false;
    const i = Math.min(Math.max(row, 0), last);
    const j = Math.min(i + 1, last);
    const mix = (v: Float32Array) => v[i] + (v[j] - v[i]) * share;
    const body = this.bodies[mover];
    if (body) {
      into.p.set(mix(body.x), mix(body.y), mix(body.z));
      this.a.set(body.q[4 * i + 1], body.q[4 * i + 2], body.q[4 * i + 3], body.q[4 * i]);
      this.b.set(body.q[4 * j + 1], body.q[4 * j + 2], body.q[4 * j + 3], body.q[4 * j]);
      into.q.copy(this.a);
      if (share > 0) into.q.slerp(this.b, share);
      return true;
    }
    const wheel = this.wheels[mover];
    const at = this.head.world?.movers[mover]?.wheel?.position;
    if (!wheel || !at) return false;
    const key = this.chassisKey;
    if (wheel.chassis >= 0 && (key[0] !== wheel.chassis || key[1] !== row || key[2] !== share)) {
      this.pose(wheel.chassis, row, share, this.chassis);
      this.chassisKey = [wheel.chassis, row, share];
    }
    into.p.set(at[0], at[1] - mix(wheel.length), at[2]).applyQuaternion(this.chassis.q).add(this.chassis.p);
    this.a.setFromAxisAngle(kUp, mix(wheel.steering));
    this.b.setFromAxisAngle(kAxle, mix(wheel.rotation));
    into.q.copy(this.chassis.q).multiply(this.a).multiply(this.b);
    return true;
  }

  /** Positions of a body over the run, at most `most` of them. */
  path(mover: number, most: number): Float32Array {
    const body = this.bodies[mover];
    if (!body) return new Float32Array(0);
    const every = Math.max(1, Math.ceil(body.x.length / most));
    const out: number[] = [];
    for (let i = 0; i < body.x.length; i += every) out.push(body.x[i], body.y[i], body.z[i]);
    return new Float32Array(out);
  }
}
