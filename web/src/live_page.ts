// The page of a run that goes on: rows come over a connection, and what the viewer does goes back.
import { element, byId } from "./format";
import { notice, showMessages, toast } from "./header";
import { Connection, type LiveMessage, LiveMotion, type LiveState, LiveValues, readFrame } from "./live";
import { Page } from "./page";

export class LivePage extends Page {
  private lastCharts = 0;
  private verdicts = "";

  protected override async connect(): Promise<void> {
    const first = new Promise<void>((resolve) => (this.firstFrame = resolve));
    notice(element("span", { class: "spinner" }));
    this.connection = new Connection({
      frame: (buffer) => this.takeFrame(buffer),
      state: (state) => this.takeState(state),
      message: (message) => this.takeMessage(message),
      problem: (text) => toast(text),
      reset: () => this.clearRows(),
      connected: (on) => byId("offline").toggleAttribute("hidden", on),
    });
    await first;
    notice();
  }

  protected override fillLiveControls(): void {
    byId("start").title = "A new run from step 0";
    byId("start").setAttribute("aria-label", "Reset");
    byId("forward").title = "One step (Right)";
    byId("forward").setAttribute("aria-label", "One step");
    byId("play").title = "Run or pause (Space)";
    byId("rate").title = "Times real time ([ and ])";
    byId("run-to").hidden = false;
    byId("latest").hidden = false;
    byId("latest").addEventListener("click", () => this.seek(this.end));
    this.fillScenarios();
    this.fillPrograms();
    const until = byId<HTMLInputElement>("until");
    byId("run-to").addEventListener("submit", (event) => {
      event.preventDefault();
      const time = Number(until.value);
      if (until.value.trim() !== "" && Number.isFinite(time) && time >= 0) this.connection?.send({ do: "run", until: time });
    });
  }

  /** Which of several scenarios runs; another one is another page, which comes by itself. */
  private fillScenarios(): void {
    const { scenarios, scenario } = this.live ?? { scenarios: [], scenario: 0 };
    if (scenarios.length < 2) return;
    const select = byId<HTMLSelectElement>("scenario");
    select.hidden = false;
    select.append(...scenarios.map((name, i) => element("option", { value: String(i) }, name)));
    select.value = String(scenario);
    select.addEventListener("change", () => this.connection?.send({ do: "open", scenario: Number(select.value) }));
  }

  /** Which program controls a robot; another one is another run. */
  private fillPrograms(): void {
    const programs = this.live?.programs ?? [];
    const list = byId("programs");
    list.hidden = programs.length === 0;
    for (const { robot, names, chosen } of programs) {
      const title = `Which program controls ${robot}; another one begins a new run`;
      const choices = names.map((name, i) => element("option", { value: String(i) }, name));
      const select = element("select", { title }, ...choices) as HTMLSelectElement;
      select.value = String(chosen);
      select.addEventListener("change", () => this.connection?.send({ do: "program", robot, program: Number(select.value) }));
      list.append(element("label", {}, robot, select));
    }
  }

  private takeFrame(buffer: ArrayBuffer): void {
    const frame = readFrame(buffer, this.head);
    if (!frame) return;
    const { values, motion } = this;
    if (!(values instanceof LiveValues)) return;
    const last = values.steps[this.rows - 1] ?? -1;
    if (frame.step < last) this.clearRows();
    if (frame.step === last) return;
    this.newest = frame;
    const dropped = values.append(frame);
    if (motion instanceof LiveMotion) motion.append(frame, dropped);
    this.end = values.time(this.rows - 1);
    this.slider.max = String(Math.max(1, this.rows - 1));
    this.row = -1; // rows may have moved
    this.stage?.invalidate();
    this.firstFrame?.();
    this.firstFrame = null;
  }

  private takeState(state: LiveState): void {
    this.liveState = state;
    const verdicts = JSON.stringify(state.expectations);
    if (verdicts !== this.verdicts) this.expectations.refresh(state.expectations);
    this.verdicts = verdicts;
    this.playing = state.running;
    document.body.classList.toggle("playing", state.running);
    byId("play").setAttribute("aria-label", state.running ? "Pause" : "Run");
    const rates = byId<HTMLSelectElement>("rate");
    if (document.activeElement !== rates) rates.value = String(state.speed);
    this.rate = state.speed;
    this.row = -1;
    if (document.body.dataset.ready) this.show();
  }

  private takeMessage(message: LiveMessage): void {
    this.messages.unshift({ ...message, code: [message.code, `step ${message.step}`].filter(Boolean).join(", "), file: "", line: 0 });
    this.messages.length = Math.min(this.messages.length, 500);
    showMessages(this.messages);
    if (message.severity === "error") toast(message.text);
  }

  private clearRows(): void {
    if (this.values instanceof LiveValues) this.values.clear();
    if (this.motion instanceof LiveMotion) this.motion.clear();
    this.following = true;
    this.time = this.end = 0;
    this.row = -1;
  }

  /** The time that is shown runs evenly after the rows, a little behind them. */
  protected override follow(seconds: number): void {
    if (!this.following) return;
    const rate = this.liveState?.running ? this.liveState.rate || this.rate || 1 : 0;
    const behind = this.end - this.time;
    const shown = this.time;
    if (rate === 0 || behind < 0 || behind > 0.3 * rate) this.time = rate === 0 ? this.end : Math.max(0, this.end - 0.08 * rate);
    else this.time = Math.min(this.end, this.time + seconds * rate);
    if (this.time !== shown) this.row = -1; // also the last jump, to where a run pauses
    const now = performance.now();
    if (now - this.lastText > 50 && (this.row < 0 || this.playing)) {
      this.lastText = now;
      this.show();
    }
    if (now - this.lastCharts > 200 && this.charts.list) {
      this.lastCharts = now;
      this.charts.extend();
    }
  }

  protected override liveText(step: number): string {
    const state = this.liveState;
    if (!state) return `step ${step}`;
    if (state.waits_for && state.running) return `waiting for the program of ${state.waits_for}`;
    const rate = state.running ? `${state.rate.toFixed(2)} × real time` : state.failed ? "failed" : "paused";
    return `step ${step} · ${rate}${state.settings > 0 ? ` · ${state.settings} set` : ""}${state.viewers > 1 ? ` · ${state.viewers} viewers` : ""}`;
  }
}
