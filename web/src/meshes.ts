// The block "scene" as geometries for three.
import { BufferAttribute, BufferGeometry, Matrix4, Quaternion, Vector3 } from "three";
import { type Head, IntegerReader, readBlock } from "./data";
import { checkMaterials } from "./materials";

export interface RawMesh {
  points: Float64Array; // x, then y, then z of all points
  count: number; // of points
  indices: Uint32Array;
  paints: Uint32Array; // one per triangle
}
export interface RawFixed extends RawMesh {
  width: Float64Array; // of the triangles of roads, in their order; negative: not marked
  lanes: Uint32Array; // of these: as lib/view/page_roads.cpp packs them
  across: Float64Array; // of their corners
  along: Float64Array;
  firstMark: Uint32Array; // of the triangles of roads and junctions, in their order: the marks that touch them, in the table
  marks: Uint32Array; // how many
}
/** Crossings and stop lines: rectangles across roads. */
export interface RawMarks {
  x: Float64Array; // of their middles
  z: Float64Array;
  dx: Float64Array; // along the road
  dz: Float64Array;
  width: Float64Array; // of the road
  kind: Float64Array; // 0: a crossing; stop lines: 1 all across, 2 right of the middle line, 3 left of it
}
export interface RawScene {
  fixed: RawFixed[];
  shapes: RawMesh[];
  movers: RawMesh[];
  marks: RawMarks;
  instances: { shape: Float64Array; paint: Float64Array; matrix: (i: number, middle: Vector3, into: Matrix4) => Matrix4 };
}

function readMesh(reader: IntegerReader, step: number): RawMesh {
  const count = reader.next();
  const triangles = reader.next();
  const points = new Float64Array(3 * count);
  for (let k = 0; k < 3; ++k) reader.differences(points.subarray(k * count, (k + 1) * count), step);
  const indices = reader.differences(new Uint32Array(3 * triangles));
  const paints = reader.differences(new Uint32Array(triangles));
  return { points, count, indices, paints };
}

export async function readScene(head: Head): Promise<RawScene | null> {
  const world = head.world;
  if (world) checkMaterials(world);
  const bytes = world && (await readBlock("scene"));
  if (!world || !bytes) return null;
  const reader = new IntegerReader(bytes, "scene");
  const fixed = world.fixed.map(() => {
    const mesh = readMesh(reader, head.fixedStep);
    const roads = reader.next();
    const width = reader.differences(new Float64Array(roads), 0.01);
    const lanes = reader.differences(new Uint32Array(roads));
    const across = reader.differences(new Float64Array(3 * roads), 0.01);
    const along = reader.differences(new Float64Array(3 * roads), 0.01);
    const surfaces = reader.next();
    const firstMark = reader.differences(new Uint32Array(surfaces));
    const marks = reader.differences(new Uint32Array(surfaces));
    return { ...mesh, width, lanes, across, along, firstMark, marks };
  });
  const meshes = (n: number) => Array.from({ length: n }, () => readMesh(reader, head.shapeStep));
  const shapes = meshes(world.shapes);
  const movers = meshes(world.movers.length);
  const column = (step: number) => reader.differences(new Float64Array(world.instances), step);
  const shape = column(1);
  const paint = column(1);
  const [x, y, z] = [column(head.fixedStep), column(head.fixedStep), column(head.fixedStep)];
  const [qw, qx, qy, qz] = [0, 1, 2, 3].map(() => column(1 / head.turnScale));
  const marks = readMarks(reader);
  const p = new Vector3();
  const q = new Quaternion();
  const one = new Vector3(1, 1, 1);
  const matrix = (i: number, middle: Vector3, into: Matrix4) =>
    into.compose(p.set(x[i], y[i], z[i]).sub(middle), q.set(qx[i], qy[i], qz[i], qw[i]).normalize(), one);
  return { fixed, shapes, movers, marks, instances: { shape, paint, matrix } };
}

function readMarks(reader: IntegerReader): RawMarks {
  const count = reader.next();
  const [x, z, dx, dz, width, kind] = [0.01, 0.01, 1e-4, 1e-4, 0.01, 1].map((step) => reader.differences(new Float64Array(count), step));
  return { x, z, dx, dz, width, kind };
}

const kCrease = Math.cos((35 * Math.PI) / 180);

/** Triangles with corners of their own; normals are smooth across edges of less than 35 degrees. Built piece by piece. */
export class GeometryBuilder {
  private readonly position: Float32Array;
  private readonly normal: Int8Array;
  private readonly paint: Float32Array;
  private readonly road: Float32Array | null;
  private readonly lane: Float32Array | null;
  private at = 0; // in corners

  constructor(triangles: number, road = false) {
    this.position = new Float32Array(9 * triangles);
    this.normal = new Int8Array(12 * triangles);
    this.paint = new Float32Array(3 * triangles);
    this.road = road ? new Float32Array(9 * triangles) : null;
    this.lane = road ? new Float32Array(9 * triangles) : null;
  }

  /**
   * Adds the triangles of a mesh that `wanted` accepts.
   * @param middle  taken off the points
   * @param roads   the mesh's data of its roads, and which triangles are of roads (1) and junctions (2)
   */
  add(
    mesh: RawMesh,
    middle: Vector3,
    firstPaint = 0,
    weld = false,
    wanted?: (triangle: number) => boolean,
    roads?: { of: RawFixed; kind: (triangle: number) => number },
  ): void {
    const { points, count, indices, paints } = mesh;
    const faces = faceNormals(mesh);
    const corner = weld ? welded(mesh) : indices;
    const sums = cornersOf(corner, faces, Math.max(count, 1));
    let road = 0;
    let surface = 0;
    for (let t = 0; t < paints.length; ++t) {
      const isWanted = !wanted || wanted(t);
      const kind = roads?.kind(t) ?? 0;
      if (isWanted) {
        for (let k = 0; k < 3; ++k) {
          const p = indices[3 * t + k];
          this.position[3 * this.at] = points[p] - middle.x;
          this.position[3 * this.at + 1] = points[count + p] - middle.y;
          this.position[3 * this.at + 2] = points[2 * count + p] - middle.z;
          const n = sums(corner[3 * t + k], t);
          this.normal[4 * this.at] = Math.round(127 * n[0]);
          this.normal[4 * this.at + 1] = Math.round(127 * n[1]);
          this.normal[4 * this.at + 2] = Math.round(127 * n[2]);
          this.paint[this.at] = paints[t] - firstPaint;
          if (this.road && roads && kind === 1) {
            this.road[3 * this.at] = roads.of.across[3 * road + k];
            this.road[3 * this.at + 1] = roads.of.along[3 * road + k];
            this.road[3 * this.at + 2] = roads.of.width[road];
          }
          if (this.lane && roads && kind !== 0) {
            this.lane[3 * this.at] = kind === 1 ? roads.of.lanes[road] : 0;
            this.lane[3 * this.at + 1] = roads.of.firstMark[surface];
            this.lane[3 * this.at + 2] = roads.of.marks[surface];
          }
          ++this.at;
        }
      }
      if (kind === 1) ++road;
      if (kind !== 0) ++surface;
    }
  }

  /**
   * Adds a geometry that another builder made.
   * @param place  a turn and a shift
   * @param paint  added to its paints
   */
  append(geometry: BufferGeometry, place: Matrix4, paint: number): void {
    const points = geometry.getAttribute("position").array;
    const normals = geometry.getAttribute("normal").array;
    const paints = geometry.getAttribute("aPaint").array;
    const m = place.elements;
    for (let c = 0; c < paints.length; ++c, ++this.at) {
      const [x, y, z] = [points[3 * c], points[3 * c + 1], points[3 * c + 2]];
      const [nx, ny, nz] = [normals[4 * c], normals[4 * c + 1], normals[4 * c + 2]];
      for (let k = 0; k < 3; ++k) {
        this.position[3 * this.at + k] = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
        const n = Math.round(m[k] * nx + m[4 + k] * ny + m[8 + k] * nz);
        this.normal[4 * this.at + k] = Math.max(-127, Math.min(127, n));
      }
      this.paint[this.at] = paints[c] + paint;
    }
  }

  get triangles(): number {
    return this.at / 3;
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.position, 3));
    geometry.setAttribute("normal", new BufferAttribute(this.normal, 4, true));
    geometry.setAttribute("aPaint", new BufferAttribute(this.paint, 1));
    if (this.road) geometry.setAttribute("aRoad", new BufferAttribute(this.road, 3));
    if (this.lane) geometry.setAttribute("aLane", new BufferAttribute(this.lane, 3));
    geometry.computeBoundingSphere();
    geometry.computeBoundingBox();
    return geometry;
  }
}

function faceNormals({ points, count, indices, paints }: RawMesh): Float32Array {
  const normals = new Float32Array(3 * paints.length);
  for (let t = 0; t < paints.length; ++t) {
    const [a, b, c] = [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]];
    const d = (p: number, k: number) => points[k * count + p] - points[k * count + a];
    const [ux, uy, uz, vx, vy, vz] = [d(b, 0), d(b, 1), d(b, 2), d(c, 0), d(c, 1), d(c, 2)];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * t);
  }
  return normals;
}

/** Indices of points, where points at the same place count as one. */
function welded({ points, count, indices }: RawMesh): Uint32Array {
  const first = new Map<string, number>();
  const same = new Uint32Array(count);
  for (let p = 0; p < count; ++p) {
    const key = `${points[p].toFixed(4)},${points[count + p].toFixed(4)},${points[2 * count + p].toFixed(4)}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, p);
    same[p] = known ?? p;
  }
  return indices.map((i) => same[i]);
}

/** The normal of a corner of a triangle: the mean over the triangles there that lean less than the crease from it. */
function cornersOf(corner: Uint32Array, faces: Float32Array, points: number) {
  const starts = new Uint32Array(points + 1);
  for (const p of corner) ++starts[p + 1];
  for (let p = 0; p < points; ++p) starts[p + 1] += starts[p];
  const next = starts.slice();
  const around = new Uint32Array(corner.length);
  for (let i = 0; i < corner.length; ++i) around[next[corner[i]]++] = (i / 3) | 0;
  const n: [number, number, number] = [0, 0, 0];
  return (p: number, t: number) => {
    const [x, y, z] = [faces[3 * t], faces[3 * t + 1], faces[3 * t + 2]];
    n[0] = n[1] = n[2] = 0;
    for (let i = starts[p]; i < starts[p + 1]; ++i) {
      const o = 3 * around[i];
      if (x * faces[o] + y * faces[o + 1] + z * faces[o + 2] < kCrease) continue;
      n[0] += faces[o];
      n[1] += faces[o + 1];
      n[2] += faces[o + 2];
    }
    const length = Math.hypot(n[0], n[1], n[2]) || 1;
    n[0] /= length;
    n[1] /= length;
    n[2] /= length;
    return n;
  };
}

/** Equal for meshes of the same triangles whose paints differ by a constant. */
export function meshKey(mesh: RawMesh, firstPaint: number): string {
  let hash = 0x811c9dc5;
  const add = (v: number) => {
    hash = Math.imul(hash ^ v, 0x01000193);
  };
  for (const p of mesh.points) add(Math.round(p * 1e5) | 0);
  for (const i of mesh.indices) add(i);
  for (const paint of mesh.paints) add(paint - firstPaint);
  return `${mesh.count} ${mesh.paints.length} ${hash}`;
}

export function firstPaintOf(mesh: RawMesh): number {
  let low = Infinity;
  for (const paint of mesh.paints) low = Math.min(low, paint);
  return Number.isFinite(low) ? low : 0;
}

/** The middle of what never moves, in whole meters: what float32 on graphics cards is relative to. */
export function middleOf(meshes: { points: Float64Array; count: number }[], none: boolean): Vector3 {
  if (none) return new Vector3();
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  const p = new Vector3();
  for (const { points, count } of meshes)
    for (let i = 0; i < count; ++i) {
      p.set(points[i], points[count + i], points[2 * count + i]);
      low.min(p);
      high.max(p);
    }
  return low.x <= high.x ? low.add(high).multiplyScalar(0.5).round() : new Vector3();
}
