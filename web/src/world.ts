// Everything that is seen, as a few draw calls: ground, roads, houses and trees, bodies and wheels, wires, rays, lights, forces, paths.
import {
  AdditiveBlending,
  BackSide,
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
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
  Points,
  Quaternion,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { Head, Values, WorldHead } from "./data";
import { GeometryBuilder, firstPaintOf, meshKey, type RawScene } from "./meshes";
import { type Motion, Pose } from "./motion";
import { paintTexture, surfaceMaterial } from "./surface";

const kRoad = 2; // Material::road
const kTile = 400; // m
const kMostTiles = 9;

export type Layer = "models" | "shapes" | "rays" | "lights" | "forces" | "paths";

/** A run of triangles of a merged mesh, and whose they are. */
interface Stretch {
  end: number;
  name: string;
}

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
  private readonly wires: (Group | null)[] = [];
  private wireGroup: Group | null = null;
  private readonly stretches = new Map<Object3D, Stretch[]>();
  private readonly names = new Map<Object3D, string[]>();
  private readonly boxes: Box3[] = [];
  private readonly selection: LineSegments;
  private readonly rays: LineSegments | null;
  private readonly lamps: Points | null;
  private readonly cones: InstancedMesh | null;
  private readonly forces: LineSegments;
  private readonly paths = new Group();
  private readonly pose = new Pose();
  private readonly matrix = new Matrix4();
  private readonly one = new Vector3(1, 1, 1);
  private readonly v = new Vector3();
  private readonly w = new Vector3();
  private readonly q = new Quaternion();
  readonly contactNodes: string[];

  constructor(
    readonly head: Head,
    readonly world: WorldHead,
    scene: RawScene,
    readonly motion: Motion,
    readonly values: Values,
    readonly middle: Vector3,
  ) {
    this.root.scale.z = -1;
    this.root.add(this.models, this.paths);
    this.paints = paintTexture(world.paints);
    this.addFixed(scene);
    this.addInstances(scene);
    this.addGround();
    this.addMovers(scene);
    this.selection = this.lines(new BufferGeometry(), 0x3aa0ff, 1);
    this.selection.visible = false;
    this.root.add(this.selection);
    this.rays = this.addRays();
    [this.lamps, this.cones] = this.addLights();
    this.contactNodes = head.nodes.filter((node) => node.kind === "Contacts").map((node) => node.name);
    const wheels = world.movers.filter((mover) => mover.wheel).length;
    this.forces = this.dynamicLines(wheels * 6 + this.contactNodes.length * 6 * 64, 0.9);
    (this.forces.material as LineBasicMaterial).depthTest = false; // contacts are inside of what touches
    this.root.add(this.forces);
    this.root.updateMatrixWorld(true);
  }

  // ---- Building

  private lines(geometry: BufferGeometry, color: number, opacity: number): LineSegments {
    const material = new LineBasicMaterial({ color, opacity, transparent: opacity < 1, fog: false });
    const made = new LineSegments(geometry, material);
    made.frustumCulled = false;
    return made;
  }

  private dynamicLines(vertices: number, opacity: number): LineSegments {
    const geometry = new BufferGeometry();
    const attribute = (size: number) => {
      const made = new BufferAttribute(new Float32Array(Math.max(1, vertices) * size), size);
      made.setUsage(DynamicDrawUsage);
      return made;
    };
    geometry.setAttribute("position", attribute(3));
    geometry.setAttribute("color", attribute(3));
    geometry.setDrawRange(0, 0);
    const made = this.lines(geometry, 0xffffff, opacity);
    (made.material as LineBasicMaterial).vertexColors = true;
    made.renderOrder = 2;
    return made;
  }

  private addMerged(geometry: BufferGeometry, road: boolean, stretches: Stretch[]): void {
    const mesh = new Mesh(geometry, surfaceMaterial(this.paints, this.middle, { inWorld: true, road }));
    mesh.receiveShadow = true;
    mesh.castShadow = !road;
    this.models.add(mesh);
    this.stretches.set(mesh, stretches);
    this.bounds.union(geometry.boundingBox ?? new Box3());
  }

  /** Bodies that never move, merged by tiles, roads apart from the rest. */
  private addFixed(scene: RawScene): void {
    let [lowX, highX, lowZ, highZ] = [Infinity, -Infinity, Infinity, -Infinity];
    let all = 0;
    for (const mesh of scene.fixed) {
      all += mesh.paints.length;
      for (let p = 0; p < mesh.count; ++p) {
        lowX = Math.min(lowX, mesh.points[p]);
        highX = Math.max(highX, mesh.points[p]);
        lowZ = Math.min(lowZ, mesh.points[2 * mesh.count + p]);
        highZ = Math.max(highZ, mesh.points[2 * mesh.count + p]);
      }
    }
    if (all === 0) return;
    const perSide = all < 60_000 ? 1 : Math.min(Math.sqrt(kMostTiles), Math.ceil(Math.max(highX - lowX, highZ - lowZ) / kTile));
    const across = (v: number, low: number, high: number) =>
      Math.min(perSide - 1, Math.max(0, Math.floor(((v - low) / Math.max(high - low, 1e-6)) * perSide)));
    const material = (paint: number) => this.world.paints[paint]?.[0] ?? 0;
    const place = scene.fixed.map((mesh) => {
      const tiles = new Uint8Array(mesh.paints.length);
      for (let t = 0; t < tiles.length; ++t) {
        const p = mesh.indices[3 * t];
        tiles[t] = across(mesh.points[p], lowX, highX) * perSide + across(mesh.points[2 * mesh.count + p], lowZ, highZ);
      }
      return tiles;
    });
    for (const road of [false, true])
      for (let tile = 0; tile < perSide * perSide; ++tile) {
        const counts = scene.fixed.map((mesh, m) => {
          let n = 0;
          for (let t = 0; t < mesh.paints.length; ++t)
            if (place[m][t] === tile && (material(mesh.paints[t]) === kRoad) === road) ++n;
          return n;
        });
        const sum = counts.reduce((a, b) => a + b, 0);
        if (sum === 0) continue;
        const builder = new GeometryBuilder(sum, road);
        const stretches: Stretch[] = [];
        scene.fixed.forEach((mesh, m) => {
          if (counts[m] === 0) return;
          const wanted = (t: number) => place[m][t] === tile && (material(mesh.paints[t]) === kRoad) === road;
          builder.add(mesh, this.middle, 0, false, wanted, road && perSide === 1 ? mesh : road ? tiled(mesh, wanted, material) : undefined);
          stretches.push({ end: builder.triangles, name: this.world.fixed[m] });
        });
        this.addMerged(builder.build(), road, stretches);
      }
  }

  /** Houses, trees and models: one draw call for each shape. */
  private addInstances(scene: RawScene): void {
    const owners: string[] = [];
    for (const [name, count] of this.world.owners) for (let i = 0; i < count; ++i) owners.push(name);
    const byShape = scene.shapes.map(() => [] as number[]);
    scene.instances.shape.forEach((shape, i) => byShape[shape]?.push(i));
    byShape.forEach((members, shape) => {
      const raw = scene.shapes[shape];
      if (members.length === 0 || raw.paints.length === 0) return;
      const builder = new GeometryBuilder(raw.paints.length);
      builder.add(raw, new Vector3(), 0, raw.paints.length < 50_000);
      const geometry = builder.build();
      geometry.setAttribute(
        "iPaint",
        new InstancedBufferAttribute(new Float32Array(members.map((i) => scene.instances.paint[i])), 1),
      );
      const mesh = new InstancedMesh(geometry, surfaceMaterial(this.paints, this.middle, { inWorld: true }), members.length);
      members.forEach((i, slot) => mesh.setMatrixAt(slot, scene.instances.matrix(i, this.middle, this.matrix)));
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.computeBoundingSphere();
      mesh.computeBoundingBox();
      this.models.add(mesh);
      this.names.set(mesh, members.map((i) => owners[i]));
      this.bounds.union(mesh.boundingBox ?? new Box3());
    });
  }

  /** The plain beyond the terrain, and water. */
  private addGround(): void {
    if (this.bounds.isEmpty()) this.bounds.set(new Vector3(-10, -10, -10), new Vector3(10, 10, 10));
    if (this.world.plain !== null) {
      // Around a terrain only, which may lie lower.
      const { min, max } = this.bounds;
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
      builder.add({ points, count: 16, indices: new Uint32Array(indices), paints: new Uint32Array(16) }, new Vector3());
      const mesh = new Mesh(builder.build(), surfaceMaterial(paintTexture([[1, 0, 0, 0, 0, 0, 0, 0, 1, 0]]), this.middle, { inWorld: true }));
      mesh.position.y = this.world.plain - this.middle.y;
      mesh.receiveShadow = true;
      this.models.add(mesh);
    }
    if (this.world.water !== null) {
      const water = new Mesh(
        new PlaneGeometry(12000, 12000),
        new MeshBasicMaterial({ color: 0x3f7fae, transparent: true, opacity: 0.62, side: DoubleSide, depthWrite: false }),
      );
      water.rotation.x = -Math.PI / 2;
      water.position.y = this.world.water - this.middle.y;
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

  /** Wires of the physics' shapes, made when they are first asked for. */
  private makeWires(): Group {
    const group = new Group();
    this.world.movers.forEach((mover, i) => {
      const own = new Group();
      own.matrixAutoUpdate = false;
      for (const shape of mover.shapes ?? []) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(shape.points), 3));
        geometry.setIndex(shape.indices);
        own.add(this.lines(new EdgesGeometry(geometry, 12), 0x2fd38a, 1));
      }
      if (mover.wheel) {
        const circle: number[] = [];
        const r = mover.wheel.radius;
        for (let k = 0; k < 32; ++k)
          for (const a of [k, k + 1]) circle.push(0, r * Math.sin((a * Math.PI) / 16), r * Math.cos((a * Math.PI) / 16));
        circle.push(0, 0, 0, 0, r, 0);
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(circle), 3));
        own.add(this.lines(geometry, 0xf2b13c, 1));
      }
      this.wires[i] = own;
      group.add(own);
    });
    this.root.add(group);
    return group;
  }

  private addRays(): LineSegments | null {
    const all = this.world.rays.reduce((sum, rays) => sum + rays.directions.length / 3, 0);
    if (all === 0) return null;
    const lines = this.dynamicLines(2 * all, 0.75);
    this.root.add(lines);
    return lines;
  }

  private addLights(): [Points | null, InstancedMesh | null] {
    const { lights } = this.world;
    if (lights.length === 0) return [null, null];
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * lights.length), 3));
    geometry.setAttribute("glow", new BufferAttribute(new Float32Array(4 * lights.length), 4));
    const lamps = new Points(
      geometry,
      new ShaderMaterial({
        uniforms: { uScale: { value: 800 } },
        vertexShader: `attribute vec4 glow; varying vec4 vGlow; uniform float uScale;
          void main() { vGlow = glow; vec4 at = modelViewMatrix * vec4(position, 1.0); gl_Position = projectionMatrix * at;
          gl_PointSize = glow.a > 0.0 ? clamp(uScale * 0.5 / -at.z, 5.0, 90.0) : 0.0; }`,
        fragmentShader: `varying vec4 vGlow; void main() { float r = 2.0 * length(gl_PointCoord - 0.5);
          if (r > 1.0 || vGlow.a <= 0.0) discard;
          float core = smoothstep(0.35, 0.1, r), halo = (1.0 - r) * (1.0 - r);
          gl_FragColor = vec4(mix(vGlow.rgb, vec3(1.0), core * 0.7) * (core + 0.55 * halo) * vGlow.a, 1.0); }`,
        blending: AdditiveBlending,
        transparent: true,
        depthWrite: false,
      }),
    );
    lamps.frustumCulled = false;
    lamps.renderOrder = 3;
    const beams = lights.filter((light) => light.cosine > 0).length;
    let cones: InstancedMesh | null = null;
    if (beams > 0) {
      const cone = new ConeGeometry(1, 1, 24, 1, true);
      cone.translate(0, -0.5, 0);
      cone.rotateX(-Math.PI / 2); // tip at the origin, opening along +z
      cones = new InstancedMesh(
        cone,
        new ShaderMaterial({
          vertexShader: `varying float vAlong; void main() { vAlong = position.z;
            gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0); }`,
          fragmentShader: `varying float vAlong; void main() { float f = 1.0 - clamp(vAlong, 0.0, 1.0);
            gl_FragColor = vec4(vec3(1.0, 0.95, 0.78) * f * f * 0.16, 1.0); }`,
          blending: AdditiveBlending,
          transparent: true,
          depthWrite: false,
          side: DoubleSide,
        }),
        beams,
      );
      cones.frustumCulled = false;
      cones.renderOrder = 3;
      this.root.add(cones);
    }
    this.root.add(lamps);
    return [lamps, cones];
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
    if (this.wireGroup?.visible)
      this.wires.forEach((wire, mover) => {
        if (!wire || !this.motion.pose(mover, row, share, this.pose)) return;
        wire.matrix.compose(this.pose.p, this.pose.q, this.one);
        wire.matrixWorldNeedsUpdate = true;
      });
    if (this.rays?.visible) this.updateRays(row, share);
    if (this.lamps?.visible) this.updateLights(row, share);
    if (this.forces.visible) this.updateForces(row, share);
    if (this.selection.visible) this.placeSelection(row, share);
  }

  private readonly carriers = new Map<string, number>();
  private placeOf(part: string, row: number, share: number): boolean {
    let mover = this.carriers.get(part);
    if (mover === undefined) this.carriers.set(part, (mover = this.motion.moverOf(part)));
    return mover >= 0 && this.motion.pose(mover, row, share, this.pose);
  }

  private readonly columns = new Map<string, ArrayLike<number> | null>();
  /** A value by its field's name; NaN if it was not traced. */
  private valueAt(node: string, field: string, row: number): number {
    const key = `${node}\0${field}`;
    let column = this.columns.get(key);
    if (column === undefined) {
      column = this.values.named(node, field);
      if (this.values.ready) this.columns.set(key, column);
    }
    return column?.[row] ?? NaN;
  }

  private readonly distances = new Map<string, (ArrayLike<number> | null)[]>();
  private distancesOf(node: string, count: number): (ArrayLike<number> | null)[] {
    const known = this.distances.get(node);
    if (known) return known;
    const made = Array.from({ length: count }, (_, i) => this.values.column(node, i));
    if (this.values.ready) this.distances.set(node, made);
    return made;
  }

  private updateRays(row: number, share: number): void {
    const lines = this.rays;
    if (!lines) return;
    const position = lines.geometry.getAttribute("position") as BufferAttribute;
    const color = lines.geometry.getAttribute("color") as BufferAttribute;
    let at = 0;
    for (const rays of this.world.rays) {
      if (!this.values.node(rays.name) || !this.placeOf(rays.part, row, share)) continue;
      const from = this.v.fromArray(rays.position).applyQuaternion(this.pose.q).add(this.pose.p);
      const n = rays.directions.length / 3;
      const columns = this.distancesOf(rays.name, n);
      for (let i = 0; i < n; ++i) {
        const measured = columns[i]?.[row];
        if (measured === undefined) continue;
        const met = measured < rays.far * 0.9999;
        const d = this.w.fromArray(rays.directions, 3 * i).applyQuaternion(this.pose.q);
        const length = Math.min(Math.max(measured, 0), rays.far);
        position.setXYZ(at, from.x, from.y, from.z);
        position.setXYZ(at + 1, from.x + d.x * length, from.y + d.y * length, from.z + d.z * length);
        if (met) {
          const near = 1 - Math.min(1, length / rays.far);
          color.setXYZ(at, 0.1, 0.35 + 0.3 * (1 - near), 0.9);
          color.setXYZ(at + 1, 1, 0.25 + 0.6 * (1 - near), 0.1);
        } else {
          color.setXYZ(at, 0.18, 0.4, 0.62);
          color.setXYZ(at + 1, 0.12, 0.22, 0.32);
        }
        at += 2;
      }
    }
    position.needsUpdate = color.needsUpdate = true;
    lines.geometry.setDrawRange(0, at);
  }

  private updateLights(row: number, share: number): void {
    const lamps = this.lamps;
    if (!lamps) return;
    const position = lamps.geometry.getAttribute("position") as BufferAttribute;
    const glow = lamps.geometry.getAttribute("glow") as BufferAttribute;
    let beam = 0;
    this.world.lights.forEach((light, i) => {
      const intensity = this.valueAt(light.name, "intensity", row);
      const on = intensity > 0 && this.placeOf(light.part, row, share) ? Math.min(intensity, 1) : 0;
      if (on === 0) {
        glow.setW(i, 0);
        if (light.cosine > 0) this.cones?.setMatrixAt(beam++, this.matrix.makeScale(0, 0, 0));
        return;
      }
      const at = this.v.fromArray(light.position).applyQuaternion(this.pose.q).add(this.pose.p);
      position.setXYZ(i, at.x, at.y, at.z);
      glow.setXYZW(i, light.color[0], light.color[1], light.color[2], on);
      if (light.cosine > 0 && this.cones) {
        const reach = 14;
        const radius = reach * Math.min(3, Math.sqrt(1 / (light.cosine * light.cosine) - 1));
        const d = this.w.fromArray(light.direction).applyQuaternion(this.pose.q);
        this.q.setFromUnitVectors(new Vector3(0, 0, 1), d);
        this.matrix.compose(at, this.q, new Vector3(radius, radius, reach));
        this.cones.setMatrixAt(beam++, this.matrix);
      }
    });
    position.needsUpdate = glow.needsUpdate = true;
    if (this.cones) this.cones.instanceMatrix.needsUpdate = true;
  }

  /** Suspension forces at the wheels (1 m is 5 kN), and contacts with their normals. */
  private updateForces(row: number, share: number): void {
    const position = this.forces.geometry.getAttribute("position") as BufferAttribute;
    const color = this.forces.geometry.getAttribute("color") as BufferAttribute;
    let at = 0;
    const segment = (from: Vector3, x: number, y: number, z: number, r: number, g: number, b: number) => {
      if (at + 2 > position.count) return;
      position.setXYZ(at, from.x, from.y, from.z);
      position.setXYZ(at + 1, from.x + x, from.y + y, from.z + z);
      color.setXYZ(at, r, g, b);
      color.setXYZ(at + 1, r, g, b);
      at += 2;
    };
    this.world.movers.forEach((mover, i) => {
      if (!mover.wheel) return;
      const force = this.valueAt(mover.name, "suspension_force", row);
      if (!(force > 0) || !this.motion.pose(i, row, share, this.pose)) return;
      const foot = this.v.copy(this.pose.p);
      foot.y -= mover.wheel.radius;
      const height = Math.min(force / 5000, 6);
      segment(foot, 0, height, 0, 1, 0.45, 0.15);
      const tip = this.w.copy(foot);
      tip.y += height;
      segment(tip, 0.08, -0.16, 0, 1, 0.45, 0.15);
      segment(tip, -0.08, -0.16, 0, 1, 0.45, 0.15);
    });
    for (const name of this.contactNodes) {
      const count = this.valueAt(name, "count", row);
      for (let k = 0; k < count; ++k) {
        const v = (field: string) => this.valueAt(name, field + k, row);
        const p = this.v.set(v("x"), v("y"), v("z")).sub(this.middle);
        if (!Number.isFinite(p.x)) break;
        const reach = Math.max(0.03, this.bodySize());
        segment(p, v("nx") * reach, v("ny") * reach, v("nz") * reach, 1, 0.2, 0.4);
      }
    }
    position.needsUpdate = color.needsUpdate = true;
    this.forces.geometry.setDrawRange(0, at);
  }

  /** Half the radius of the smallest mover: how long contact normals are drawn. */
  private bodySize(): number {
    return Math.min(...this.world.movers.map((mover) => mover.radius)) / 2;
  }

  // ---- What is shown

  show(layer: Layer, on: boolean): void {
    if (layer === "models") for (const { mesh } of this.batches) mesh.visible = on;
    if (layer === "shapes") {
      if (on) this.wireGroup ??= this.makeWires();
      if (this.wireGroup) this.wireGroup.visible = on;
    }
    if (layer === "rays" && this.rays) this.rays.visible = on;
    if (layer === "forces") this.forces.visible = on;
    if (layer === "lights") {
      if (this.lamps) this.lamps.visible = on;
      if (this.cones) this.cones.visible = on;
    }
    if (layer === "paths") this.paths.visible = on;
  }

  /** Paths of the robots' first bodies over the whole run, in one draw call. */
  addPaths(): void {
    const seen = new Set<string>();
    const palette = [0xffb347, 0x5ad1ff, 0xff6f91, 0x9be564, 0xc3a6ff, 0xffe066].map((hex) => new Color(hex));
    const [position, color]: [number[], number[]] = [[], []];
    const most = Math.max(100, Math.floor(200_000 / Math.max(1, this.world.movers.length)));
    this.world.movers.forEach((mover, i) => {
      const robot = mover.name.split(".")[0] === "traffic" ? mover.name : mover.name.split(".")[0];
      if (mover.wheel || seen.has(robot)) return;
      seen.add(robot);
      const points = this.motion.path(i, Math.min(4000, most));
      let way = 0;
      for (let k = 3; k < points.length; k += 3)
        way += Math.hypot(points[k] - points[k - 3], points[k + 1] - points[k - 2], points[k + 2] - points[k - 1]);
      if (way < 2 * mover.radius) return;
      const own = palette[(seen.size - 1) % palette.length];
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
    const lines = this.lines(geometry, 0xffffff, 0.85);
    (lines.material as LineBasicMaterial).vertexColors = true;
    lines.renderOrder = 2;
    this.paths.add(lines);
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
    if (this.lamps) (this.lamps.material as ShaderMaterial).uniforms.uScale.value = pixels;
  }
}

/** The roads' data of the triangles of one tile only. */
function tiled(mesh: RawScene["fixed"][number], wanted: (t: number) => boolean, material: (paint: number) => number) {
  const kept: number[] = [];
  for (let t = 0, road = 0; t < mesh.paints.length; ++t) {
    if (material(mesh.paints[t]) !== kRoad) continue;
    if (wanted(t)) kept.push(road);
    ++road;
  }
  const corners = (from: Float64Array) => Float64Array.from(kept.flatMap((r) => [from[3 * r], from[3 * r + 1], from[3 * r + 2]]));
  return { ...mesh, width: Float64Array.from(kept.map((r) => mesh.width[r])), across: corners(mesh.across), along: corners(mesh.along) };
}

/** The sky: blue above, haze at the horizon, a sun. */
export function skyDome(sun: Vector3): Mesh<SphereGeometry, ShaderMaterial> {
  const dome = new Mesh(
    new SphereGeometry(5500, 32, 16),
    new ShaderMaterial({
      side: BackSide,
      depthWrite: false,
      uniforms: {
        uTop: { value: new Color() },
        uHorizon: { value: new Color() },
        uSun: { value: sun },
        uSunLight: { value: 1 },
      },
      vertexShader: `varying vec3 vAt; void main() { vAt = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `varying vec3 vAt; uniform vec3 uTop, uHorizon, uSun; uniform float uSunLight;
        void main() { vec3 d = normalize(vAt); float up = clamp(d.y, 0.0, 1.0);
        vec3 c = mix(uTop, uHorizon, pow(1.0 - up, 4.0)); float s = max(dot(d, uSun), 0.0);
        c += uSunLight * vec3(1.0, 0.93, 0.78) * (smoothstep(0.9993, 0.9997, s) + 0.25 * pow(s, 60.0));
        gl_FragColor = vec4(c, 1.0);
        #include <colorspace_fragment>
        }`,
    }),
  );
  dome.frustumCulled = false;
  dome.renderOrder = -2;
  return dome;
}
