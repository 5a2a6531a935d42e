// What is drawn over the scene from a row's values: rays of sensors, lights, forces and contacts.
import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Points,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from "three";
import type { Head, Values, WorldHead } from "./data";
import { type Motion, Pose } from "./motion";

/** Line segments that are drawn wherever they are. */
export function lines(geometry: BufferGeometry, color: number, opacity: number): LineSegments {
  const material = new LineBasicMaterial({ color, opacity, transparent: opacity < 1, fog: false });
  const made = new LineSegments(geometry, material);
  made.frustumCulled = false;
  return made;
}

/** Colored segments, written anew each frame; none at first. */
function dynamicLines(vertices: number, opacity: number): LineSegments {
  const geometry = new BufferGeometry();
  const attribute = (size: number) => {
    const made = new BufferAttribute(new Float32Array(Math.max(1, vertices) * size), size);
    made.setUsage(DynamicDrawUsage);
    return made;
  };
  geometry.setAttribute("position", attribute(3));
  geometry.setAttribute("color", attribute(3));
  geometry.setDrawRange(0, 0);
  const made = lines(geometry, 0xffffff, opacity);
  (made.material as LineBasicMaterial).vertexColors = true;
  made.renderOrder = 2;
  return made;
}

export class Overlays {
  /** In the simulation's frame, about the middle of the motion. */
  readonly group = new Group();
  private readonly rays: LineSegments | null;
  private readonly lamps: Points | null;
  private readonly cones: InstancedMesh | null;
  private readonly forces: LineSegments;
  private readonly contactNodes: string[];
  private readonly pose = new Pose();
  private readonly matrix = new Matrix4();
  private readonly v = new Vector3();
  private readonly w = new Vector3();
  private readonly q = new Quaternion();

  constructor(
    head: Head,
    private readonly world: WorldHead,
    private readonly motion: Motion,
    private readonly values: Values,
  ) {
    this.rays = this.addRays();
    [this.lamps, this.cones] = this.addLights();
    this.contactNodes = head.nodes.filter((node) => node.kind === "Contacts").map((node) => node.name);
    const wheels = world.movers.filter((mover) => mover.wheel).length;
    this.forces = dynamicLines(wheels * 6 + this.contactNodes.length * 6 * 64, 0.9);
    (this.forces.material as LineBasicMaterial).depthTest = false; // contacts are inside of what touches
    this.group.add(this.forces);
  }

  private addRays(): LineSegments | null {
    const all = this.world.rays.reduce((sum, rays) => sum + rays.directions.length / 3, 0);
    if (all === 0) return null;
    const lines = dynamicLines(2 * all, 0.75);
    this.group.add(lines);
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
      this.group.add(cones);
    }
    this.group.add(lamps);
    return [lamps, cones];
  }

  /** Brings what is visible to a time: between `row` and the next one. */
  update(row: number, share: number): void {
    if (this.rays?.visible) this.updateRays(row, share);
    if (this.showsLights) this.updateLights(row, share);
    if (this.forces.visible) this.updateForces(row, share);
  }

  show(layer: "rays" | "lights" | "forces", on: boolean): void {
    if (layer === "rays" && this.rays) this.rays.visible = on;
    if (layer === "forces") this.forces.visible = on;
    if (layer === "lights") {
      this.showsLights = on;
      if (this.lamps) this.lamps.visible = on;
      if (this.cones) this.cones.visible = on;
    }
  }

  set lampScale(pixels: number) {
    if (this.lamps) (this.lamps.material as ShaderMaterial).uniforms.uScale.value = pixels;
  }

  private showsLights = true;
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
      if (column || (this.values.ready && !this.values.isLarge)) this.columns.set(key, column);
    }
    return column?.[row] ?? NaN;
  }

  private readonly distances = new Map<string, (ArrayLike<number> | null)[]>();
  private distancesOf(node: string, count: number): (ArrayLike<number> | null)[] {
    const known = this.distances.get(node);
    if (known) return known;
    const made = Array.from({ length: count }, (_, i) => this.values.column(node, i));
    if (this.values.ready && (!this.values.isLarge || made.every((each) => each))) this.distances.set(node, made);
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
    let [beam, lit, beams] = [0, 0, 0];
    this.world.lights.forEach((light, i) => {
      const intensity = this.valueAt(light.name, "intensity", row);
      const on = intensity > 0 && this.placeOf(light.part, row, share) ? Math.min(intensity, 1) : 0;
      if (on === 0) {
        glow.setW(i, 0);
        if (light.cosine > 0) this.cones?.setMatrixAt(beam++, this.matrix.makeScale(0, 0, 0));
        return;
      }
      ++lit;
      const at = this.v.fromArray(light.position).applyQuaternion(this.pose.q).add(this.pose.p);
      position.setXYZ(i, at.x, at.y, at.z);
      glow.setXYZW(i, light.color[0], light.color[1], light.color[2], on);
      if (light.cosine > 0 && this.cones) {
        ++beams;
        const reach = 14;
        const radius = reach * Math.min(3, Math.sqrt(1 / (light.cosine * light.cosine) - 1));
        const d = this.w.fromArray(light.direction).applyQuaternion(this.pose.q);
        this.q.setFromUnitVectors(new Vector3(0, 0, 1), d);
        this.matrix.compose(at, this.q, new Vector3(radius, radius, reach));
        this.cones.setMatrixAt(beam++, this.matrix);
      }
    });
    position.needsUpdate = glow.needsUpdate = true;
    lamps.visible = lit > 0; // what is dark is no draw call
    if (!this.cones) return;
    this.cones.visible = beams > 0;
    this.cones.instanceMatrix.needsUpdate = true;
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
        const p = this.v.set(v("x"), v("y"), v("z")).sub(this.motion.middle);
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
}
