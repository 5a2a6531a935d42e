// A page with a run: time, selection and views together.
import { Vector3 } from "three";
import { Charts } from "./charts";
import { fillCameras, fillKeys, fillLayers, kLayers, kLiveRates, kRates, nextCamera } from "./choices";
import { type Head, type LiveHead, type Message, Values } from "./data";
import { Expectations, momentOf } from "./expectations";
import { byId, element, timeText } from "./format";
import { fail, fillHeader, notice, toast } from "./header";
import { type Connection, type Frame, LiveMotion, type LiveState, LiveValues, liveCapacity } from "./live";
import { type KeyActions, pressed } from "./keys";
import { middleOf, readScene } from "./meshes";
import { Motion, Pose } from "./motion";
import { probeRenderer } from "./probe";
import { kCameraModes, Stage } from "./stage";
import { Tree } from "./tree";
import { type Layer, World } from "./world";

export class Page {
  protected readonly values: Values;
  protected readonly tree: Tree;
  protected readonly charts: Charts;
  protected readonly expectations: Expectations;
  protected stage: Stage | null = null;
  protected world: World | null = null;
  protected motion: Motion;
  protected end = 0;
  protected connection: Connection | null = null; // of a run that goes on
  protected liveState: LiveState | null = null;
  protected following = true; // shows the newest row as it comes
  protected firstFrame: (() => void) | null = null;
  protected messages: Message[] = [];
  protected newest: Frame | null = null;
  protected time = 0;
  protected playing = false;
  protected rate = 1;
  protected selected = "";
  protected row = -1;
  protected last = 0;
  protected lastText = 0;
  protected readonly layers = new Map<Layer, boolean>(kLayers.map(([layer, , , on]) => [layer, on]));
  protected night = false;
  protected saving = 0;
  protected readonly pose = new Pose();
  protected readonly slider = byId<HTMLInputElement>("time");
  readonly errors: string[] = [];

  constructor(
    protected readonly head: Head,
    protected readonly live: LiveHead | null,
  ) {
    this.values = live ? new LiveValues(head, liveCapacity(head)) : new Values(head);
    this.motion = new Motion(head, new Vector3());
    document.body.classList.toggle("live", live !== null);
    this.charts = new Charts(this.values, {
      sought: (time) => this.seek(time),
      changed: () => {
        this.tree.buildValues();
        this.expectations.refreshCharted();
        this.save();
      },
    });
    this.expectations = new Expectations(head, {
      charted: (expectation) => this.chartExpectation(expectation),
      isCharted: (expectation) => this.charts.hasExpectation(expectation),
      sought: (time) => this.seek(time),
    });
    this.tree = new Tree(head, this.values, {
      selected: (name) => this.select(name),
      charted: (name, field) => this.charts.toggle(name, field),
      focused: (name) => this.focus(name),
      isCharted: (name, field) => this.charts.has(name, field),
      rangeOf: (name, field) => this.live?.settable[name]?.[field] ?? null,
      set: (name, field, value) => this.connection?.send({ do: "set", device: name, input: field, value }),
    });
    this.messages = fillHeader(head, this.live !== null);
    this.fillControls();
    this.listen();
  }

  /** Its chart, and the moment that says most of it. */
  private chartExpectation(expectation: number): void {
    this.charts.toggleExpectation(expectation);
    const { outcome } = this.head.expectations[expectation];
    const isOpen = this.charts.hasExpectation(expectation) || outcome.left === null;
    if (isOpen && !this.live) this.seek((momentOf(outcome) ?? 0) * this.head.dt);
  }

  protected get rows(): number {
    return this.head.rows;
  }

  async load(): Promise<void> {
    if (this.live) await this.connect();
    await this.values.loadSteps();
    this.end = this.values.time(Math.max(0, this.rows - 1));
    this.slider.max = String(Math.max(1, this.rows - 1));
    notice(element("span", { class: "spinner" }));
    await new Promise(requestAnimationFrame);
    await this.loadWorld();
    this.restore(true);
    this.show();
    requestAnimationFrame((now) => this.frame(now));
    await this.values.load({ arrived: () => this.showValues(), failed: fail });
    this.restore(false);
    this.showValues();
    await new Promise(requestAnimationFrame); // after frame(), which asked before us: the picture is drawn
    document.body.dataset.ready = "true";
  }

  /** After values were unpacked. */
  private showValues(): void {
    this.row = -1;
    this.stage?.invalidate();
    this.charts.redraw();
    this.show();
    this.tree.buildValues();
  }

  protected async loadWorld(): Promise<void> {
    const { world } = this.head;
    if (!world) {
      const why = "This page has no 3D view: the scenario of the trace was not found or could not be built.";
      return notice(why, element("small", {}, "The tree and the charts have all that was traced."));
    }
    const scene = await readScene(this.head);
    if (!scene) return;
    const middle = middleOf(scene.fixed, world.instances === 0 && scene.fixed.length === 0);
    const motion = this.live ? new LiveMotion(this.head, middle, liveCapacity(this.head)) : new Motion(this.head, middle);
    this.motion = motion;
    await motion.load();
    if (motion instanceof LiveMotion && this.newest) motion.append(this.newest, 0);
    const renderer = probeRenderer();
    if (!renderer) {
      notice("This browser has no WebGL 2, which the 3D view needs.", element("small", {}, "The tree and the charts still work."));
      return;
    }
    try {
      this.world = new World(this.head, world, scene, this.motion, this.values, middle, renderer.software);
      const events = { picked: (name: string | null) => this.select(name ?? ""), moved: () => this.placeLabel() };
      this.stage = new Stage(byId<HTMLCanvasElement>("canvas"), this.world, events, renderer.software);
    } catch (error) {
      this.errors.push(String(error));
      this.stage = null;
      notice("The 3D view could not be started on this computer.", element("small", {}, "The tree and the charts still work."));
      return;
    }
    if (!this.live) this.world.addPaths();
    for (const [layer, on] of this.layers) this.world.show(layer, on);
    fillCameras(this.head.world?.cameras ?? [], (mode) => this.setCamera(mode));
    this.stage.setTarget(this.firstTarget());
    this.stage.resize();
    new ResizeObserver(() => this.stage?.resize()).observe(byId("stage"));
    this.stage.setCamera("orbit");
    this.time = this.linkedTime();
    this.stage.begin(...this.values.rowAt(this.time));
    if (this.firstTarget() >= 0) this.stage.frameTarget();
    byId<HTMLCanvasElement>("canvas").addEventListener("webglcontextlost", () =>
      notice("The graphics card has dropped the 3D view; reload the page to restore it."),
    );
    notice();
  }

  protected firstTarget(): number {
    return this.world?.firstTarget() ?? -1;
  }

  // ---- Header and controls
  protected fillControls(): void {
    const rates = byId<HTMLSelectElement>("rate");
    for (const rate of this.live ? kLiveRates : kRates)
      rates.append(element("option", { value: String(rate) }, rate === 0 ? "max" : rate < 1 ? `1/${1 / rate} ×` : `${rate} ×`));
    rates.value = "1";
    if (this.live) this.fillLiveControls();
    rates.addEventListener("change", () => this.setRate(Number(rates.value)));
    fillLayers((layer) => this.setLayer(layer, !this.layers.get(layer)));
    fillKeys();
    byId("play").addEventListener("click", () => this.setPlaying(!this.playing));
    byId("start").addEventListener("click", () => (this.connection ? this.connection.send({ do: "reset" }) : this.seek(0)));
    byId("back").addEventListener("click", () => this.step(-1));
    byId("forward").addEventListener("click", () => this.step(1));
    byId("help").addEventListener("click", () => byId<HTMLDialogElement>("keys").showModal());
    byId("theme").addEventListener("click", () => this.setTheme());
    byId("link").addEventListener("click", () => void this.copyLink());
    this.slider.addEventListener("input", () => this.seek(this.values.time(Number(this.slider.value))));
    for (const tab of document.querySelectorAll<HTMLButtonElement>(".tabs button"))
      tab.addEventListener("click", () => this.setTab(tab.dataset.tab ?? "tree"));
    this.setTab("tree");
  }

  protected setTab(name: string): void {
    document.body.dataset.tab = name;
    for (const tab of document.querySelectorAll(".tabs button")) tab.setAttribute("aria-selected", String((tab as HTMLElement).dataset.tab === name));
    if (name === "charts") this.charts.redraw();
  }

  protected setCamera(mode: string): void {
    if (!this.stage) return;
    if ((mode === "follow" || mode === "chase") && this.motion.moverOf(this.selected) < 0) this.stage.setTarget(this.firstTarget());
    this.stage.setCamera(mode);
    for (const button of document.querySelectorAll<HTMLElement>("#camera-modes button"))
      button.setAttribute("aria-pressed", String(button.dataset.camera === mode));
    byId<HTMLSelectElement>("camera-robot").value = mode.startsWith("camera:") ? mode.slice(7) : "";
    this.save();
  }

  protected setLayer(layer: Layer, on: boolean): void {
    this.layers.set(layer, on);
    this.world?.show(layer, on);
    document.querySelector(`#layers [data-layer="${layer}"]`)?.setAttribute("aria-pressed", String(on));
    this.stage?.invalidate();
    this.save();
  }

  protected setTheme(theme?: string): void {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : !matchMedia("(prefers-color-scheme: light)").matches;
    root.dataset.theme = theme ?? (dark ? "light" : "dark");
    this.charts.redraw();
    this.save();
  }

  protected setNight(night: boolean): void {
    this.night = night;
    this.stage?.setNight(night);
  }

  protected setRate(rate: number): void {
    this.connection?.send({ do: "speed", times: rate });
    this.rate = rate;
    byId<HTMLSelectElement>("rate").value = String(rate);
  }

  // ---- Time and selection

  protected setPlaying(playing: boolean): void {
    if (this.connection) {
      this.connection.send({ do: playing ? "run" : "pause" });
      return;
    }
    if (playing && this.time >= this.end) this.time = 0;
    this.playing = playing && this.rows > 1;
    document.body.classList.toggle("playing", this.playing);
    byId("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    if (!this.playing) this.save();
  }

  protected seek(time: number): void {
    this.following = time >= this.end - 1e-9;
    this.time = Math.min(this.end, Math.max(0, Number.isFinite(time) ? time : 0));
    this.show();
    this.save();
  }

  protected step(rows: number): void {
    if (this.connection && rows > 0 && this.following) {
      this.connection.send({ do: "step", steps: rows });
      return;
    }
    if (!this.connection) this.setPlaying(false);
    this.seek(this.values.time(Math.min(this.rows - 1, Math.max(0, this.values.rowAt(this.time)[0] + rows))));
  }

  protected select(name: string): void {
    if (!name || !this.tree.has(name)) {
      if (name) toast(`${name} never moves; it is not in the tree`);
      this.selected = "";
    } else {
      this.selected = name;
    }
    this.tree.select(this.selected);
    const mover = this.selected ? this.motion.moverOf(this.selected) : -1;
    this.world?.select(mover);
    if (mover >= 0) this.stage?.setTarget(this.bodyOf(mover));
    this.stage?.invalidate();
    this.placeLabel();
    this.save();
  }

  /** The body of a wheel: cameras follow that. */
  protected bodyOf(mover: number): number {
    const wheel = this.head.world?.movers[mover]?.wheel;
    return wheel ? Math.max(0, this.motion.index(wheel.chassis)) : mover;
  }

  protected focus(name: string): void {
    this.select(name);
    const mode = this.stage?.cameraMode ?? "";
    if (mode !== "follow" && mode !== "orbit") this.setCamera("follow");
    const mover = this.motion.moverOf(name);
    if (mover >= 0) this.stage?.setTarget(mover);
    this.stage?.frameTarget();
  }

  protected placeLabel(): void {
    const label = byId("label");
    const mover = this.selected ? this.motion.moverOf(this.selected) : -1;
    const [row, share] = this.values.rowAt(this.time);
    const at = mover >= 0 ? (this.stage?.project(mover, row, share) ?? null) : null;
    label.hidden = !at;
    if (!at) return;
    if (label.textContent !== this.selected) label.textContent = this.selected;
    label.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px) translate(-50%, -130%)`;
  }

  protected frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const seconds = Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    if (this.live) {
      this.follow(seconds);
    } else if (this.playing) {
      this.time += seconds * this.rate;
      if (this.time >= this.end) {
        this.time = this.end;
        this.setPlaying(false);
      }
    }
    const [row, share] = this.values.rowAt(this.time);
    if (this.stage?.draw(row, share, seconds)) this.placeLabel();
    // Texts change at most twenty times a second, which is faster than anyone reads.
    if (this.playing && now - this.lastText > 50) {
      this.lastText = now;
      this.show();
    }
  }

  /** All that shows the time, but for the 3D view. */
  protected show(): void {
    const [row] = this.values.rowAt(this.time);
    const step = this.values.steps[row] ?? 0;
    const of = this.live ? "" : ` / ${timeText(this.end, 1)}`;
    const below = this.live ? this.liveText(step) : `step ${step}, row ${row}`;
    byId("clock").replaceChildren(element("b", {}, timeText(this.time)), `${of} s`, element("small", {}, below));
    this.slider.value = String(row);
    this.slider.setAttribute("aria-valuetext", `${timeText(this.time)} seconds`);
    this.expectations.placeMarks((wanted) => {
      if (this.rows < 2 || wanted < (this.values.steps[0] ?? 0)) return null;
      return this.values.rowAt(wanted * this.head.dt)[0] / (this.rows - 1);
    });
    this.charts.refresh(this.time, row);
    if (row === this.row) return;
    this.row = row;
    this.tree.refresh(row);
  }

  // ---- Of a run that goes on: live_page.ts

  protected async connect(): Promise<void> {}
  protected fillLiveControls(): void {}
  protected follow(_seconds: number): void {}
  protected liveText(_step: number): string {
    return "";
  }

  // ---- Links

  protected get link(): string {
    const parts = this.live ? [] : [`t=${this.time.toFixed(4).replace(/\.?0+$/, "")}`];
    if (this.selected) parts.push(`node=${encodeURIComponent(this.selected)}`);
    if (this.stage) parts.push(`cam=${encodeURIComponent(this.stage.cameraMode)}`);
    if (this.charts.list) parts.push(`charts=${encodeURIComponent(this.charts.list)}`);
    const off = kLayers.filter(([layer, , , on]) => this.layers.get(layer) !== on).map(([layer]) => layer);
    if (off.length) parts.push(`layers=${off.join(",")}`);
    if (this.night) parts.push("night=1");
    const { theme } = document.documentElement.dataset;
    if (theme) parts.push(`theme=${theme}`);
    return `#${parts.join("&")}`;
  }

  protected save(): void {
    if (!document.body.dataset.ready || this.playing) return;
    clearTimeout(this.saving);
    this.saving = window.setTimeout(() => {
      try {
        history.replaceState(null, "", this.link);
      } catch {
        // Some browsers allow it for files only a few times a second.
      }
    }, 300);
  }

  protected async copyLink(): Promise<void> {
    const address = location.href.split("#")[0] + this.link;
    try {
      await navigator.clipboard.writeText(address);
      toast("Copied: a link to this page at this time and view");
    } catch {
      location.hash = this.link;
      toast("The link is in the address bar");
    }
  }

  protected linkedTime(): number {
    const wanted = Number(new URLSearchParams(location.hash.slice(1)).get("t") ?? 0) || 0;
    return this.live ? this.time : Math.min(this.end, Math.max(0, wanted));
  }

  /** From the address. @param first  before the values are there: no charts yet */
  protected restore(first: boolean): void {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!first) {
      this.charts.list = wanted.get("charts") ?? "";
      return;
    }
    if (wanted.get("theme")) this.setTheme(wanted.get("theme") === "light" ? "light" : "dark");
    for (const layer of (wanted.get("layers") ?? "").split(","))
      if (this.layers.has(layer as Layer)) this.setLayer(layer as Layer, !this.layers.get(layer as Layer));
    if (wanted.get("night")) this.setNight(true);
    this.time = this.linkedTime();
    const node = wanted.get("node");
    if (node) this.select(node);
    const camera = wanted.get("cam") ?? "";
    const isKnown = (kCameraModes as readonly string[]).includes(camera) || this.head.world?.cameras.some((each) => `camera:${each.name}` === camera);
    if (isKnown) this.setCamera(camera);
    else this.setCamera(this.firstTarget() >= 0 ? "follow" : "orbit");
  }

  // ---- Keys

  protected listen(): void {
    window.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const at = event.target as HTMLElement;
      if (at instanceof HTMLInputElement && (at.type === "search" || at.type === "number" || at.dataset.set)) return;
      if (this.stage?.fly(event.code)) return;
      if (pressed(event, at, this.keyActions())) event.preventDefault();
    });
    window.addEventListener("hashchange", () => {
      this.restore(true);
      this.restore(false);
      this.show();
    });
    window.addEventListener("error", (event) => this.errors.push(event.message));
    window.addEventListener("unhandledrejection", (event) => this.errors.push(String(event.reason)));
  }

  protected keyActions(): KeyActions {
    return {
      toggleLayer: (layer) => this.setLayer(layer, !this.layers.get(layer)),
      camera: (number) => this.setCamera(number < 6 ? kCameraModes[number - 1] : nextCamera(this.head, this.stage?.cameraMode ?? "")),
      togglePlaying: () => this.setPlaying(!this.playing),
      seekBy: (seconds) => this.seek(this.time + seconds),
      step: (rows) => this.step(rows),
      start: () => this.seek(this.live ? this.values.time(0) : 0),
      end: () => this.seek(this.end),
      faster: (by) => {
        const rates = this.live ? kLiveRates : kRates;
        const rate = rates[rates.indexOf(this.rate) + by];
        if (rate !== undefined) this.setRate(rate);
      },
      focus: () => this.focus(this.selected || (this.head.world?.movers[this.firstTarget()]?.name ?? "")),
      night: () => this.setNight(!this.night),
      theme: () => this.setTheme(),
      unselect: () => this.select(""),
    };
  }

  /** What a test, or a person at the console, can ask. */
  state() {
    const [row, share] = this.values.rowAt(this.time);
    return {
      ready: document.body.dataset.ready === "true",
      time: this.time,
      row,
      step: this.values.steps[row],
      rows: this.rows,
      playing: this.playing,
      rate: this.rate,
      selected: this.selected,
      camera: this.stage?.cameraMode ?? null,
      charts: this.charts.list,
      drawn: this.charts.drawn,
      layers: Object.fromEntries(this.layers),
      software: this.stage?.software ?? null,
      ...(this.stage?.stats ?? { frames: 0, script: 0, calls: 0, triangles: 0 }),
      share,
      current: this.stage?.isCurrent(row, share) ?? true,
      expectations: this.head.expectations.map((each) => ({ name: each.name, ...each.outcome })),
      live: this.liveState,
      following: this.following,
      errors: this.errors,
    };
  }

  /** Position and rotation (w, x, y, z) of a node in the simulation's frame; null if it is not drawn. */
  poseOf(name: string): number[] | null {
    const [row, share] = this.values.rowAt(this.time);
    const mover = this.motion.index(name);
    if (mover < 0 || !this.motion.pose(mover, row, share, this.pose)) return null;
    const p = this.pose.p.clone().add(this.motion.middle);
    const { q } = this.pose;
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  /** Where a node is on the canvas, in CSS pixels from its top left corner. */
  placeOf(name: string): { x: number; y: number } | null {
    const [row, share] = this.values.rowAt(this.time);
    return this.stage?.project(this.motion.index(name), row, share, 0) ?? null;
  }
}
