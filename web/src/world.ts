// Everything that is seen, as a few draw calls: ground, roads, houses and trees, bodies and wheels, wires, rays, lights, forces, paths.
import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  DynamicDrawUsage,
  EdgesGeometry,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PlaneGeometry,
  Vector3,
} from "three";
import type { Head, Values, WorldHead } from "./data";
import { FixedScene, type Stretch } from "./fixed";
import { GeometryBuilder, firstPaintOf, meshKey, type RawScene } from "./meshes";
import { type Motion, Pose } from "./motion";
import { lines, Overlays } from "./overlays";
import { Markers } from "./markers";
import { kGround } from "./materials";
import { markTexture, paintTexture, surfaceMaterial } from "./surface";
import { Wires } from "./wires";

/** What is less deep (m) is not under water, as in pictures: a map's own surface may have the same height. */
const kLeastDepth = 0.02;

export type Layer = "models" | "shapes" | "rays" | "lights" | "forces" | "paths";

export interface Picked {
  name: string;
  mover: number;
}

/** Bounds of the movers and of the ground, in the scene's frame. */
export class World {
  /** Mirrors z: everything in it is in the simulation's frame, about `middle`. */
  readonly root = new Group();
  readonly bounds = new Box3();
  private readonly models = new Group();
  private readonly paints: DataTexture;
  private readonly batches: { mesh: InstancedMesh; movers: number[] }[] = [];
  private readonly slots: { batch: number; slot: number }[] = [];
  private wires: Wires | null = null;
  private readonly stretches = new Map<Object3D, Stretch[]>();
  private readonly names = new Map<Object3D, string[]>();
  private readonly boxes: Box3[] = [];
  private readonly selection: LineSegments;
  private readonly overlays: Overlays;
  private readonly paths = new Group();
  private readonly robots: number[];
  private readonly markers: Markers;
  private readonly pose = new Pose();
  private readonly matrix = new Matrix4();
  private readonly one = new Vector3(1, 1, 1);
  private readonly v = new Vector3();
  private readonly w = new Vector3();

  constructor(
    readonly head: Head,
    readonly world: WorldHead,
    scene: RawScene,
    readonly motion: Motion,
    readonly values: Values,
    readonly middle: Vector3,
    software: boolean,
  ) {
    this.root.scale.z = -1;
    this.robots = this.firstBodies();
    this.markers = new Markers(motion, this.robots);
    this.root.add(this.models, this.paths, this.markers.points);
    this.paints = paintTexture(world.paints);
    const fixed = new FixedScene(world, scene, middle, software);
    this.addFixed(fixed, markTexture(scene.marks));
    this.addInstances(fixed, scene);
    this.addGround(fixed.ground);
    this.addMovers(scene);
    this.selection = lines(new BufferGeometry(), 0x3aa0ff, 1);
    this.selection.visible = false;
    this.root.add(this.selection);
    this.overlays = new Overlays(head, world, motion, values);
    this.root.add(this.overlays.group);
    this.root.updateMatrixWorld(true);
  }

  // ---- Building

  private addFixed(fixed: FixedScene, marks: DataTexture): void {
    for (const { geometry, road, stretches } of fixed.tiles) {
      const mesh = new Mesh(geometry, surfaceMaterial(this.paints, this.middle, { inWorld: true, marks: road ? marks : undefined }));
      mesh.receiveShadow = mesh.castShadow = true;
      this.models.add(mesh);
      this.stretches.set(mesh, stretches);
      this.bounds.union(geometry.boundingBox ?? new Box3());
    }
  }

  /** Houses, trees and models of many triangles: one draw call for each shape. */
  private addInstances({ instanced, owners }: FixedScene, { instances }: RawScene): void {
    for (const { geometry, members } of instanced) {
      geometry.setAttribute("iPaint", new InstancedBufferAttribute(new Float32Array(members.map((i) => instances.paint[i])), 1));
      const mesh = new InstancedMesh(geometry, surfaceMaterial(this.paints, this.middle, { inWorld: true }), members.length);
      members.forEach((i, slot) => mesh.setMatrixAt(slot, instances.matrix(i, this.middle, this.matrix)));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.computeBoundingSphere();
      mesh.computeBoundingBox();
      this.models.add(mesh);
      this.names.set(mesh, members.map((i) => owners[i]));
      this.bounds.union(mesh.boundingBox ?? new Box3());
    }
  }

  /** The plain beyond the terrain, and water. @param ground  where the terrain is */
  private addGround(ground: Box3): void {
    if (this.bounds.isEmpty()) this.bounds.set(new Vector3(-10, -10, -10), new Vector3(10, 10, 10));
    if (this.world.plain !== null) {
      // Around a terrain only, which may lie lower; roads and houses may go on beyond it.
      const { min, max } = ground.isEmpty() ? this.bounds : ground;
      const far = 6000;
      const [xs, zs] = [
        [min.x - far, min.x, max.x, max.x + far],
        [min.z - far, min.z, max.z, max.z + far],
      ];
      const points = new Float64Array(48);
      for (let i = 0; i < 16; ++i) {
        points[i] = xs[i & 3];
        points[32 + i] = zs[i >> 2];
      }
      const indices: number[] = [];
      for (let i = 0; i < 9; ++i) {
        if (i === 4 && !this.world.plainIsGround) continue;
        const a = (i % 3) + 4 * Math.floor(i / 3);
        indices.push(a, a + 4, a + 1, a + 1, a + 4, a + 5);
      }
      const builder = new GeometryBuilder(indices.length / 3);
      builder.add({ points, count: 16, indices: new Uint32Array(indices), paints: new Uint32Array(indices.length / 3) }, new Vector3());
      const mesh = new Mesh(builder.build(), surfaceMaterial(paintTexture([[kGround, 0, 0, 0, 0, 0, 0, 0, 1, 0]]), this.middle, { inWorld: true }));
      mesh.position.y = this.world.plain - this.middle.y;
      mesh.receiveShadow = true;
      this.models.add(mesh);
    }
    if (this.world.water !== null) {
      const water = new Mesh(
        new PlaneGeometry(12000, 12000),
        new MeshBasicMaterial({
          color: 0x3f7fae,
          transparent: true,
          opacity: 0.62,
          side: DoubleSide,
          depthWrite: false,
          // Behind what has its height: dry ground, the surfaces of a map's waters. 2 cm are resolved nearby only.
          polygonOffset: true,
          polygonOffsetFactor: 1,
          polygonOffsetUnits: 4,
        }),
      );
      water.rotation.x = -Math.PI / 2;
      water.position.y = this.world.water - kLeastDepth - this.middle.y;
      water.renderOrder = 1;
      this.models.add(water);
    }
  }

  /** Movers of the same triangles share a draw call. */
  private addMovers(scene: RawScene): void {
    const groups = new Map<string, number[]>();
    scene.movers.forEach((raw, i) => {
      const key = meshKey(raw, firstPaintOf(raw));
      const known = groups.get(key);
      if (known) known.push(i);
      else groups.set(key, [i]);
    });
    for (const movers of groups.values()) {
      const raw = scene.movers[movers[0]];
      if (raw.paints.length === 0) continue;
      const builder = new GeometryBuilder(raw.paints.length);
      builder.add(raw, new Vector3(), firstPaintOf(raw), raw.paints.length < 50_000);
      const geometry = builder.build();
      geometry.setAttribute(
        "iPaint",
        new InstancedBufferAttribute(new Float32Array(movers.map((i) => firstPaintOf(scene.movers[i]))), 1),
      );
      const mesh = new InstancedMesh(geometry, surfaceMaterial(this.paints, this.middle, { inWorld: false }), movers.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = true;
      this.models.add(mesh);
      movers.forEach((mover, slot) => {
        this.slots[mover] = { batch: this.batches.length, slot };
        this.boxes[mover] = geometry.boundingBox ?? new Box3();
      });
      this.names.set(mesh, movers.map((i) => this.world.movers[i].name));
      this.batches.push({ mesh, movers });
    }
  }

  // ---- Each frame

  /** Brings everything to a time: between `row` and the next one. */
  update(row: number, share: number): void {
    for (const { mesh, movers } of this.batches) {
      movers.forEach((mover, slot) => {
        if (this.motion.pose(mover, row, share, this.pose))
          mesh.setMatrixAt(slot, this.matrix.compose(this.pose.p, this.pose.q, this.one));
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // for picking
    }
    this.wires?.update(row, share);
    this.overlays.update(row, share);
    this.markers.update(row, share);
    if (this.selection.visible) this.placeSelection(row, share);
  }

  // ---- What is shown

  show(layer: Layer, on: boolean): void {
    if (layer === "models") for (const { mesh } of this.batches) mesh.visible = on;
    if (layer === "shapes") {
      if (on && !this.wires) this.root.add((this.wires = new Wires(this.world.movers, this.motion)).drawn);
      if (this.wires) this.wires.drawn.visible = on;
    }
    if (layer === "rays" || layer === "lights" || layer === "forces") this.overlays.show(layer, on);
    if (layer === "paths") this.paths.visible = on;
  }

  /** On the map, where robots may be a pixel large. */
  showMarkers(on: boolean): void {
    this.markers.points.visible = on;
  }

  /** The first body of each robot, and of each thing in traffic. */
  private firstBodies(): number[] {
    const seen = new Set<string>();
    const found: number[] = [];
    this.world.movers.forEach((mover, i) => {
      const robot = mover.name.split(".")[0] === "traffic" ? mover.name : mover.name.split(".")[0];
      if (mover.wheel || seen.has(robot)) return;
      seen.add(robot);
      found.push(i);
    });
    return found;
  }

  /** The first body that goes somewhere, or the first one; -1: there is none. */
  firstTarget(): number {
    const goes = (mover: number) => {
      const points = this.motion.path(mover, 50);
      const far = 2 * this.world.movers[mover].radius;
      for (let k = 3; k < points.length; k += 3) if (Math.hypot(points[k] - points[0], points[k + 1] - points[1], points[k + 2] - points[2]) > far) return true;
      return false;
    };
    return this.robots.find(goes) ?? this.robots[0] ?? -1;
  }

  /** Paths of the robots' first bodies over the whole run, in one draw call. */
  addPaths(): void {
    const palette = [0xffb347, 0x5ad1ff, 0xff6f91, 0x9be564, 0xc3a6ff, 0xffe066].map((hex) => new Color(hex));
    const [position, color]: [number[], number[]] = [[], []];
    const most = Math.max(100, Math.floor(200_000 / Math.max(1, this.world.movers.length)));
    this.robots.forEach((i, n) => {
      const mover = this.world.movers[i];
      const points = this.motion.path(i, Math.min(4000, most));
      let way = 0;
      for (let k = 3; k < points.length; k += 3)
        way += Math.hypot(points[k] - points[k - 3], points[k + 1] - points[k - 2], points[k + 2] - points[k - 1]);
      if (way < 2 * mover.radius) return;
      const own = palette[n % palette.length];
      for (let k = 3; k < points.length; k += 3)
        for (const j of [k - 3, k]) {
          position.push(points[j], points[j + 1], points[j + 2]);
          color.push(own.r, own.g, own.b);
        }
    });
    if (position.length === 0) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(color), 3));
    const drawn = lines(geometry, 0xffffff, 0.85);
    (drawn.material as LineBasicMaterial).vertexColors = true;
    drawn.renderOrder = 2;
    this.paths.add(drawn);
  }

  select(mover: number): void {
    this.selection.visible = mover >= 0 && Boolean(this.boxes[mover]);
    this.selection.userData.mover = mover;
    if (!this.selection.visible) return;
    const size = this.boxes[mover].getSize(this.v).addScalar(0.04);
    this.selection.geometry.dispose();
    this.selection.geometry = new EdgesGeometry(new BoxGeometry(size.x, size.y, size.z));
    const at = this.boxes[mover].getCenter(this.w);
    this.selection.geometry.translate(at.x, at.y, at.z);
  }

  private placeSelection(row: number, share: number): void {
    if (!this.motion.pose(Number(this.selection.userData.mover), row, share, this.pose)) return;
    this.selection.position.copy(this.pose.p);
    this.selection.quaternion.copy(this.pose.q);
  }

  /** What a hit of a raycaster is. */
  nameOf(object: Object3D, face: number | null | undefined, instance: number | undefined): Picked | null {
    if (instance !== undefined) {
      const name = this.names.get(object)?.[instance];
      return name ? { name, mover: this.motion.index(name) } : null;
    }
    const found = this.stretches.get(object)?.find((stretch) => (face ?? 0) < stretch.end);
    return found ? { name: found.name, mover: -1 } : null;
  }

  get pickable(): Object3D[] {
    return this.models.children;
  }

  set lampScale(pixels: number) {
    this.overlays.lampScale = pixels;
  }
}
