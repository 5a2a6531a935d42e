// The 3D view: renderer, light, cameras. Draws on demand only.
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  MOUSE,
  NoToneMapping,
  OrthographicCamera,
  PCFShadowMap,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Scene,
  SRGBColorSpace,
  TOUCH,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { CameraHead } from "./data";
import { Pose } from "./motion";
import { skyDome } from "./sky";
import type { Picked, World } from "./world";

export const kCameraModes = ["orbit", "follow", "chase", "fly", "map"] as const;
/** One of kCameraModes, or "camera:" and the name of a robot's camera. */
export type CameraMode = string;

const kSun = new Vector3(0.5257, 0.6731, 0.5201); // of three's frame; lib/sim/vision/shading.hpp

/** From the simulation's frame to three's. */
const toThree = (p: Vector3) => p.set(p.x, p.y, -p.z);

export interface StageEvents {
  picked(name: string | null): void;
  moved(): void;
}

export class Stage {
  readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly perspective = new PerspectiveCamera(50, 1, 0.1, 8000);
  private readonly map = new OrthographicCamera(-1, 1, 1, -1, 0.1, 9000);
  private readonly orbit: OrbitControls;
  private readonly mapControls: OrbitControls;
  private readonly sun = new DirectionalLight(0xfff4e0, 3.1);
  private readonly hemisphere = new HemisphereLight(0xbdd6ff, 0x6b6b55, 1.5);
  private readonly ambient = new AmbientLight(0xffffff, 0.25);
  private readonly dome = skyDome(kSun);
  private readonly pose = new Pose();
  private readonly before = new Vector3();
  private readonly held = new Set<string>();
  private yaw = 0;
  private pitch = -0.3;
  private mode: CameraMode = "orbit";
  private target = -1; // mover that follow and chase look at
  private followed = false;
  private framed = false;
  /** Distance behind, times the mover's radius. */
  private chaseDistance = 4.2;
  private lastRow = 0;
  private lastShare = 0;
  private dirty = true;
  readonly stats = { frames: 0, script: 0, calls: 0, triangles: 0 };

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly world: World,
    private readonly events: StageEvents,
    readonly software: boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.software, powerPreference: "high-performance", preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NoToneMapping;
    this.renderer.shadowMap.enabled = !this.software;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.info.autoReset = true;
    this.scene.add(world.root, this.sun, this.sun.target, this.hemisphere, this.ambient, this.dome);
    this.scene.fog = new Fog(0xcdddea, 250, 3200);
    if (!this.software) {
      this.sun.castShadow = true;
      this.sun.shadow.mapSize.set(2048, 2048);
      this.sun.shadow.bias = -0.0004;
      this.sun.shadow.normalBias = 0.04;
    }
    this.orbit = this.controls(this.perspective);
    this.orbit.maxPolarAngle = Math.PI * 0.495;
    this.mapControls = this.controls(this.map);
    this.mapControls.enableRotate = false;
    this.mapControls.screenSpacePanning = true;
    this.mapControls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.mapControls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    this.map.up.set(0, 0, -1); // north
    this.listen();
    this.setNight(false);
  }

  private controls(camera: PerspectiveCamera | OrthographicCamera): OrbitControls {
    const controls = new OrbitControls(camera, this.canvas);
    controls.enableDamping = false;
    controls.zoomSpeed = 1.2;
    controls.minDistance = 0.05;
    controls.maxDistance = 5000;
    controls.addEventListener("change", () => {
      this.dirty = true;
      this.events.moved();
    });
    controls.enabled = false;
    return controls;
  }

  private listen(): void {
    const { canvas } = this;
    let down: { x: number; y: number } | null = null;
    let dragged = false;
    canvas.addEventListener("pointerdown", (event) => {
      down = { x: event.clientX, y: event.clientY };
      dragged = false;
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!down) return;
      const [dx, dy] = [event.clientX - down.x, event.clientY - down.y];
      if (Math.abs(dx) + Math.abs(dy) > 4) dragged = true;
      if (this.mode !== "fly" || !dragged) return;
      this.yaw -= dx * 0.004;
      this.pitch = Math.min(1.5, Math.max(-1.5, this.pitch - dy * 0.004));
      down = { x: event.clientX, y: event.clientY };
      this.dirty = true;
    });
    window.addEventListener("pointerup", (event) => {
      if (down && !dragged && event.target === canvas) this.pick(event);
      down = null;
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (this.mode !== "chase") return;
        event.preventDefault();
        this.chaseDistance = Math.min(60, Math.max(1.5, this.chaseDistance * Math.exp(event.deltaY * 0.001)));
        this.dirty = true;
      },
      { passive: false },
    );
    window.addEventListener("keyup", (event) => this.held.delete(event.code));
    window.addEventListener("blur", () => this.held.clear());
  }

  private pick(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(at, this.camera);
    const hits = caster.intersectObjects(this.world.pickable, false);
    let found: Picked | null = null;
    for (const hit of hits) {
      if (!hit.object.visible) continue;
      found = this.world.nameOf(hit.object, hit.faceIndex, hit.instanceId);
      if (found) break;
    }
    this.events.picked(found?.name ?? null);
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.mode === "map" ? this.map : this.perspective;
  }
  get cameraMode(): CameraMode {
    return this.mode;
  }

  /** A key that moves the flying camera; true if it was one. */
  fly(code: string): boolean {
    if (this.mode !== "fly" || !/^(Key[WASDQE]|Shift(Left|Right))$/.test(code)) return false;
    this.held.add(code);
    this.dirty = true;
    return true;
  }

  setTarget(mover: number): void {
    this.target = mover;
    this.followed = false;
    this.dirty = true;
  }

  setCamera(mode: CameraMode): void {
    const from = this.mode;
    this.mode = mode;
    this.orbit.enabled = mode === "orbit" || mode === "follow";
    this.mapControls.enabled = mode === "map";
    this.followed = false;
    this.perspective.fov = 50;
    this.perspective.near = 0.1;
    if (mode === "fly") {
      const d = this.perspective.getWorldDirection(new Vector3());
      this.yaw = Math.atan2(-d.x, -d.z);
      this.pitch = Math.asin(Math.max(-1, Math.min(1, d.y)));
    }
    if (mode === "map" && from !== "map") this.frameMap();
    if ((mode === "orbit" || mode === "follow") && !this.orbit.target.lengthSq()) this.home();
    if (mode === "follow") this.frameTarget();
    this.perspective.updateProjectionMatrix();
    this.dirty = true;
  }

  /** All of it, from the south-east. @param distance  times the size of it */
  home(distance = 0.65): void {
    const box = this.interest();
    const middle = toThree(box.getCenter(new Vector3()));
    const size = Math.max(box.getSize(new Vector3()).length(), 0.2);
    this.orbit.target.copy(middle);
    this.perspective.position.copy(middle).add(new Vector3(0.55, 0.5, 0.75).setLength(size * distance));
    this.orbit.update();
    this.dirty = true;
  }

  /** Where things move; where nothing does, everything. */
  private interest(): Box3 {
    const box = new Box3();
    const movers = this.world.world.movers;
    const rows = this.world.world.motionRows;
    for (let i = 0; i < movers.length; ++i)
      for (let k = 0; k <= 16; ++k)
        if (this.world.motion.pose(i, Math.floor((k / 16) * Math.max(0, rows - 1)), 0, this.pose))
          box.expandByPoint(this.pose.p.clone().addScalar(movers[i].radius)).expandByPoint(this.pose.p.clone().subScalar(movers[i].radius));
    return box.isEmpty() ? this.world.bounds.clone() : box;
  }

  /** Several bodies that stay close to each other. @param radius  of one of them */
  private isSmall(radius: number): boolean {
    const bodies = this.world.world.movers.filter((mover) => !mover.wheel).length;
    return bodies > 2 && this.interest().getSize(new Vector3()).length() < 15 * radius;
  }

  private frameMap(): void {
    const box = this.interest();
    const middle = toThree(box.getCenter(new Vector3()));
    const size = box.getSize(new Vector3());
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const aspect = width / Math.max(1, height);
    const half = Math.max(size.z / 2, size.x / 2 / aspect, 3) * 1.15;
    this.map.top = half;
    this.map.bottom = -half;
    this.map.zoom = 1;
    this.mapControls.target.copy(middle);
    this.map.position.set(middle.x, middle.y + 3000, middle.z);
    this.resize();
    this.mapControls.update();
  }

  /** Moves the orbit's target to the target, at a distance that shows it well. */
  frameTarget(): void {
    if (!this.world.motion.pose(this.target, this.lastRow, this.lastShare, this.pose)) return;
    const radius = this.world.world.movers[this.target].radius;
    const at = toThree(this.pose.p.clone()); // what follows uses the pose again
    const turn = this.pose.q.clone();
    const direction = this.perspective.position.clone().sub(this.orbit.target);
    if (!this.framed && this.isSmall(radius)) {
      // What belongs together is seen together: a hand with its object.
      this.home(0.85);
      this.framed = this.followed = true;
      this.before.copy(at);
      return;
    }
    if (!this.framed) {
      // First from behind, a little to the right and above; from elsewhere if a house is in the way.
      direction.copy(toThree(new Vector3(0.55, 0, -1).applyQuaternion(turn))).setY(0);
      direction.normalize().setY(0.42);
      direction.copy(this.clearDirection(direction, at, radius));
    }
    this.framed = true;
    direction.normalize();
    direction.y = Math.max(direction.y, 0.15);
    this.orbit.target.copy(at);
    this.perspective.position.copy(at).add(direction.normalize().multiplyScalar(Math.max(radius * 4.5, 0.3)));
    this.followed = true;
    this.before.copy(at);
    this.orbit.update();
    this.dirty = true;
  }

  /** A direction, or one that is turned, or higher, from which the target can be seen. */
  private clearDirection(wanted: Vector3, at: Vector3, radius: number): Vector3 {
    const caster = new Raycaster();
    for (const height of [wanted.y, 1.1])
      for (const turn of [0, 0.7, -0.7, 1.4, -1.4, 2.2, -2.2, Math.PI]) {
        const tried = wanted.clone().setY(0).applyAxisAngle(new Vector3(0, 1, 0), turn).setY(height).normalize();
        const distance = Math.max(radius * 4.5, 0.3);
        caster.set(at.clone().addScaledVector(tried, distance), tried.clone().negate());
        caster.far = distance - 1.2 * radius;
        if (caster.intersectObjects(this.world.pickable, false).length === 0) return tried;
      }
    return wanted;
  }

  /** Where things are when the target is framed before anything was drawn. */
  begin(row: number, share: number): void {
    this.lastRow = row;
    this.lastShare = share;
    this.world.update(row, share);
    this.world.root.updateMatrixWorld(true);
  }

  setNight(night: boolean): void {
    const top = new Color(night ? 0x0a1224 : 0x4f86c9);
    const horizon = new Color(night ? 0x1c2740 : 0xcdddea);
    this.dome.material.uniforms.uTop.value = top;
    this.dome.material.uniforms.uHorizon.value = horizon;
    this.dome.material.uniforms.uSunLight.value = night ? 0 : 1;
    (this.scene.fog as Fog).color.copy(horizon);
    this.sun.intensity = night ? 0.35 : 3.1;
    this.sun.color.set(night ? 0x9db4ff : 0xfff2dc);
    this.hemisphere.intensity = night ? 0.45 : 1.5;
    this.ambient.intensity = night ? 0.1 : 0.25;
    this.dirty = true;
  }

  invalidate(): void {
    this.dirty = true;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = this.software ? 1 : Math.min(window.devicePixelRatio, 2);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.perspective.aspect = width / height;
    this.perspective.updateProjectionMatrix();
    this.map.left = (-this.map.top * width) / height;
    this.map.right = (this.map.top * width) / height;
    this.map.updateProjectionMatrix();
    this.world.lampScale = height * ratio;
    this.dirty = true;
  }

  private placeCamera(row: number, share: number, seconds: number): void {
    const camera = this.perspective;
    if (this.mode === "fly") {
      const speed = (this.held.has("ShiftLeft") || this.held.has("ShiftRight") ? 60 : 15) * seconds;
      camera.quaternion.setFromAxisAngle(new Vector3(0, 1, 0), this.yaw);
      camera.quaternion.multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), this.pitch));
      const axis = (a: string, b: string) => Number(this.held.has(a)) - Number(this.held.has(b));
      const way = new Vector3(axis("KeyD", "KeyA"), axis("KeyE", "KeyQ"), axis("KeyS", "KeyW"));
      camera.position.add(way.applyQuaternion(camera.quaternion).multiplyScalar(speed));
      return;
    }
    if (this.mode.startsWith("camera:")) {
      const look = this.world.world.cameras.find((each) => each.name === this.mode.slice(7));
      if (look) this.lookThrough(look, row, share);
      return;
    }
    if (this.mode === "orbit" || this.mode === "map" || !this.world.motion.pose(this.target, row, share, this.pose)) return;
    const radius = this.world.world.movers[this.target].radius;
    if (this.mode === "follow") {
      const at = toThree(this.pose.p);
      if (this.followed) {
        camera.position.add(at).sub(this.before);
        this.orbit.target.copy(at);
        camera.lookAt(at);
      }
      this.followed = true;
      this.before.copy(at);
      return;
    }
    const ahead = toThree(new Vector3(0, 0, 1).applyQuaternion(this.pose.q)).setY(0);
    if (ahead.lengthSq() < 1e-6) ahead.set(0, 0, -1);
    ahead.normalize();
    const at = toThree(this.pose.p);
    const distance = radius * this.chaseDistance;
    camera.position.copy(at).addScaledVector(ahead, -distance);
    camera.position.y += distance * 0.34;
    camera.lookAt(at.addScaledVector(ahead, radius * 0.8).setY(at.y + radius * 0.15));
  }

  private lookThrough(look: CameraHead, row: number, share: number): void {
    const mover = this.world.motion.index(look.body);
    if (!this.world.motion.pose(mover, row, share, this.pose)) return;
    const [x, y, z, qw, qx, qy, qz] = look.pose;
    const own = new Quaternion(qx, qy, qz, qw);
    const eye = new Vector3(x, y, z).applyQuaternion(this.pose.q).add(this.pose.p);
    const q = this.pose.q.clone().multiply(own);
    const camera = this.perspective;
    const ahead = toThree(new Vector3(0, 0, 1).applyQuaternion(q));
    const up = toThree(new Vector3(0, 1, 0).applyQuaternion(q));
    camera.position.copy(toThree(eye));
    camera.up.copy(up);
    camera.lookAt(camera.position.clone().add(ahead));
    camera.up.set(0, 1, 0);
    // The whole picture of the robot's camera fits.
    const vertical = look.fov;
    const horizontal = 2 * Math.atan(Math.tan(vertical / 2) * look.aspect);
    const needed = 2 * Math.atan(Math.tan(horizontal / 2) / camera.aspect);
    const fov = (Math.max(vertical, needed) * 180) / Math.PI;
    if (Math.abs(camera.fov - fov) > 1e-6) {
      camera.fov = fov;
      camera.near = 0.02;
      camera.updateProjectionMatrix();
    }
  }

  private placeSun(): void {
    const target = this.sun.target.position;
    if (this.mode === "map" || this.mode === "orbit") target.copy(this.mode === "map" ? this.mapControls.target : this.orbit.target);
    else target.copy(this.camera.position);
    const reach = this.mode === "orbit" ? Math.min(160, Math.max(12, this.perspective.position.distanceTo(target) * 0.9)) : this.mode === "map" ? 160 : 45;
    this.sun.position.copy(target).addScaledVector(kSun, 400);
    const shadow = this.sun.shadow.camera;
    if (this.sun.castShadow && shadow.right !== reach) {
      shadow.left = shadow.bottom = -reach;
      shadow.right = shadow.top = reach;
      shadow.near = 50;
      shadow.far = 900;
      shadow.updateProjectionMatrix();
    }
    this.sun.target.updateMatrixWorld();
  }

  /** How large they are on the map. */
  private pixelsOfRobots(): number {
    const radius = this.world.world.movers[Math.max(0, this.target)]?.radius ?? 1;
    return (2 * radius * this.canvas.clientHeight * this.map.zoom) / (this.map.top - this.map.bottom);
  }

  /** Whether the picture that was drawn last is that of this row, and nothing has changed since. */
  isCurrent(row: number, share: number): boolean {
    return !this.dirty && row === this.lastRow && share === this.lastShare;
  }

  /** Draws if anything has changed. @return whether it did */
  draw(row: number, share: number, seconds: number): boolean {
    const flying = this.mode === "fly" && this.held.size > 0;
    if (!flying && this.isCurrent(row, share)) return false;
    this.dirty = false;
    this.lastRow = row;
    this.lastShare = share;
    const began = performance.now();
    this.world.showMarkers(this.mode === "map" && this.pixelsOfRobots() < 8);
    this.world.update(row, share);
    this.placeCamera(row, share, seconds);
    this.placeSun();
    this.dome.position.copy(this.camera.position);
    this.dome.visible = this.mode !== "map";
    (this.scene.fog as Fog).far = this.mode === "map" ? 1e6 : 3200;
    (this.scene.fog as Fog).near = this.mode === "map" ? 9e5 : 250;
    this.renderer.render(this.scene, this.camera);
    this.stats.script = performance.now() - began;
    this.stats.calls = this.renderer.info.render.calls;
    this.stats.triangles = this.renderer.info.render.triangles;
    ++this.stats.frames;
    return true;
  }

  /** Where a place above a mover's middle (in radii) is on the canvas, in CSS pixels; null if it is out of sight. */
  project(mover: number, row: number, share: number, lift = 0.9): { x: number; y: number } | null {
    if (!this.world.motion.pose(mover, row, share, this.pose)) return null;
    this.pose.p.y += this.world.world.movers[mover].radius * lift;
    const at = toThree(this.pose.p).project(this.camera);
    if (at.z > 1 || Math.abs(at.x) > 1.1 || Math.abs(at.y) > 1.1) return null;
    return { x: ((at.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - at.y) / 2) * this.canvas.clientHeight };
  }
}
