// What never moves, as few draw calls: fixed bodies merged by tiles, and with them the houses and trees; shapes of many triangles are instances.
import { Box3, type BufferGeometry, Matrix4, Vector3 } from "three";
import type { WorldHead } from "./data";
import { kGround, kJunction, kRoad } from "./materials";
import { GeometryBuilder, type RawMesh, type RawScene } from "./meshes";

const kTile = 400; // m
const kTilesPerSide = 2; // each tile is a draw call
// Triangles from which on tiles are worth their calls: few for renderers that feel each triangle out of sight, many for graphics cards, which
// would draw each tile into the shadows again.
const kTilesFrom = { software: 60_000, card: 600_000 };
const kMerged = 300_000; // triangles of houses and trees, 60 bytes each

/** A run of triangles of a merged mesh, and whose they are. */
export interface Stretch {
  end: number;
  name: string;
}
export interface Tile {
  geometry: BufferGeometry;
  road: boolean; // it has data of lanes
  stretches: Stretch[];
}
/** A shape and the numbers of its instances. */
export interface Shape {
  geometry: BufferGeometry;
  members: number[];
}

export class FixedScene {
  readonly tiles: Tile[] = [];
  readonly instanced: Shape[] = [];
  /** Bounds of what is of the ground's material, about `middle`. */
  readonly ground = new Box3();
  /** Names of the bodies that the instances belong to. */
  readonly owners: string[] = [];
  private readonly merged: Shape[] = [];
  private readonly matrix = new Matrix4();

  constructor(
    private readonly world: WorldHead,
    private readonly scene: RawScene,
    private readonly middle: Vector3,
    software: boolean,
  ) {
    for (const [name, count] of world.owners) for (let i = 0; i < count; ++i) this.owners.push(name);
    this.sortShapes();
    this.findGround();
    this.buildTiles(software ? kTilesFrom.software : kTilesFrom.card);
  }

  private place(instance: number): Matrix4 {
    return this.scene.instances.matrix(instance, this.middle, this.matrix);
  }

  /** Which shapes are merged with the tiles: those of the fewest triangles, until it is enough. */
  private sortShapes(): void {
    const members = this.scene.shapes.map(() => [] as number[]);
    this.scene.instances.shape.forEach((shape, i) => members[shape]?.push(i));
    const triangles = members.map((each, shape) => each.length * this.scene.shapes[shape].paints.length);
    const order = triangles.map((_, shape) => shape).filter((shape) => triangles[shape] > 0);
    order.sort((a, b) => triangles[a] - triangles[b] || a - b);
    let sum = 0;
    for (const shape of order) {
      const raw = this.scene.shapes[shape];
      const builder = new GeometryBuilder(raw.paints.length);
      builder.add(raw, new Vector3(), 0, raw.paints.length < 50_000);
      sum += triangles[shape];
      (sum <= kMerged ? this.merged : this.instanced).push({ geometry: builder.build(), members: members[shape] });
    }
  }

  private materialOf(paint: number): number {
    return this.world.paints[paint]?.[0] ?? 0;
  }

  private findGround(): void {
    const v = new Vector3();
    for (const { paints, indices, points, count } of this.scene.fixed)
      paints.forEach((paint, t) => {
        if (this.materialOf(paint) !== kGround) return;
        for (const p of indices.subarray(3 * t, 3 * t + 3))
          this.ground.expandByPoint(v.set(points[p], points[count + p], points[2 * count + p]).sub(this.middle));
      });
  }

  /** @param tilesFrom  one tile if there are fewer triangles */
  private buildTiles(tilesFrom: number): void {
    const { fixed } = this.scene;
    let all = 0;
    const bounds = new Box3();
    const v = new Vector3();
    for (const { points, count, paints } of fixed) {
      all += paints.length;
      for (let p = 0; p < count; ++p) bounds.expandByPoint(v.set(points[p], 0, points[2 * count + p]).setY(0).sub(this.middle));
    }
    for (const { geometry, members } of this.merged) {
      all += (members.length * geometry.getAttribute("aPaint").count) / 3;
      for (const i of members) bounds.expandByPoint(v.setFromMatrixPosition(this.place(i)));
    }
    if (all === 0) return;
    const size = bounds.getSize(new Vector3());
    const perSide = all < tilesFrom ? 1 : Math.min(kTilesPerSide, Math.ceil(Math.max(size.x, size.z) / kTile));
    const across = (share: number) => Math.min(perSide - 1, Math.max(0, Math.floor(share * perSide)));
    /** The tile of a place about `middle`. */
    const tileAt = (x: number, z: number) =>
      across((x - bounds.min.x) / Math.max(size.x, 1e-6)) * perSide + across((z - bounds.min.z) / Math.max(size.z, 1e-6));
    const tileOf = (mesh: RawMesh) =>
      Uint8Array.from(mesh.paints, (_, t) => {
        const p = mesh.indices[3 * t];
        return tileAt(mesh.points[p] - this.middle.x, mesh.points[2 * mesh.count + p] - this.middle.z);
      });
    const places = fixed.map(tileOf);
    const parts = this.merged.flatMap(({ geometry, members }) =>
      members.map((i) => {
        const at = this.place(i).elements;
        return { geometry, i, tile: tileAt(at[12], at[14]) };
      }),
    );
    parts.sort((a, b) => a.i - b.i); // those of one body together
    for (let tile = 0; tile < perSide * perSide; ++tile)
      this.buildTile(
        places.map((place) => (t: number) => place[t] === tile),
        parts.filter((part) => part.tile === tile),
      );
  }

  /** @param isHere  of each fixed body: which of its triangles are in the tile */
  private buildTile(isHere: ((triangle: number) => boolean)[], parts: { geometry: BufferGeometry; i: number }[]): void {
    const { fixed, instances } = this.scene;
    const counts = fixed.map((mesh, m) => mesh.paints.reduce((sum, _, t) => sum + (isHere[m](t) ? 1 : 0), 0));
    const own = counts.reduce((sum, each) => sum + each, 0);
    const all = parts.reduce((sum, part) => sum + part.geometry.getAttribute("aPaint").count / 3, own);
    if (all === 0) return;
    const road = fixed.some((mesh, m) => counts[m] > 0 && mesh.marks.length > 0);
    const builder = new GeometryBuilder(all, road);
    const stretches: Stretch[] = [];
    const ends = (name: string) => {
      const last = stretches[stretches.length - 1];
      if (last?.name === name) last.end = builder.triangles;
      else stretches.push({ end: builder.triangles, name });
    };
    fixed.forEach((mesh, m) => {
      if (counts[m] === 0) return;
      const kind = (t: number) => [kRoad, kJunction].indexOf(this.materialOf(mesh.paints[t])) + 1;
      builder.add(mesh, this.middle, 0, false, isHere[m], road ? { of: mesh, kind } : undefined);
      ends(this.world.fixed[m]);
    });
    for (const { geometry, i } of parts) {
      builder.append(geometry, this.place(i), instances.paint[i]);
      ends(this.owners[i]);
    }
    this.tiles.push({ geometry: builder.build(), road, stretches });
  }
}
