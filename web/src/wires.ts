// The physics' shapes as wires, all of them in one draw call.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, EdgesGeometry, type LineBasicMaterial, type LineSegments, Matrix4, Vector3 } from "three";
import type { MoverHead } from "./data";
import { type Motion, Pose } from "./motion";
import { lines } from "./overlays";

const kFlat = 12; // degrees: edges between faces that are as flat as this are left out
const kBody = new Color(0x2fd38a);
const kWheel = new Color(0xf2b13c);

/** Ends of a mover's wires, in its frame. */
function wiresOf(mover: MoverHead): number[] {
  const ends: number[] = [];
  for (const shape of mover.shapes ?? []) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.points), 3));
    geometry.setIndex(shape.indices);
    const edges = new EdgesGeometry(geometry, kFlat);
    for (const v of edges.getAttribute("position").array) ends.push(v);
  }
  if (mover.wheel) {
    const r = mover.wheel.radius;
    for (let k = 0; k < 32; ++k) for (const a of [k, k + 1]) ends.push(0, r * Math.sin((a * Math.PI) / 16), r * Math.cos((a * Math.PI) / 16));
    ends.push(0, 0, 0, 0, r, 0);
  }
  return ends;
}

export class Wires {
  readonly drawn: LineSegments;
  private readonly ends: Float32Array[];
  private readonly place: BufferAttribute;
  private readonly pose = new Pose();
  private readonly matrix = new Matrix4();
  private readonly one = new Vector3(1, 1, 1);

  constructor(
    movers: MoverHead[],
    private readonly motion: Motion,
  ) {
    const known = new Map<string, Float32Array>(); // a hundred cars are of one shape
    this.ends = movers.map((mover) => {
      const key = JSON.stringify([mover.shapes, mover.wheel?.radius]);
      const ends = known.get(key) ?? new Float32Array(wiresOf(mover));
      known.set(key, ends);
      return ends;
    });
    const all = this.ends.reduce((sum, each) => sum + each.length, 0);
    this.place = new BufferAttribute(new Float32Array(all), 3).setUsage(DynamicDrawUsage);
    const colors = new Float32Array(all);
    let at = 0;
    movers.forEach((mover, i) => {
      for (let k = 0; k < this.ends[i].length; k += 3, at += 3) (mover.wheel ? kWheel : kBody).toArray(colors, at);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.place);
    geometry.setAttribute("color", new BufferAttribute(colors, 3));
    this.drawn = lines(geometry, 0xffffff, 1);
    (this.drawn.material as LineBasicMaterial).vertexColors = true;
    this.drawn.frustumCulled = false;
  }

  update(row: number, share: number): void {
    if (!this.drawn.visible) return;
    const to = this.place.array;
    let at = 0;
    this.ends.forEach((ends, mover) => {
      const isThere = this.motion.pose(mover, row, share, this.pose);
      const m = this.matrix.compose(this.pose.p, this.pose.q, this.one).elements;
      for (let k = 0; k < ends.length; k += 3, at += 3) {
        const [x, y, z] = [ends[k], ends[k + 1], ends[k + 2]];
        for (let axis = 0; axis < 3; ++axis) to[at + axis] = isThere ? m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis] : 0;
      }
    });
    this.place.needsUpdate = true;
  }
}
