// Charts of any fields over time, those of one unit together, tied to the time that is shown.
import uPlot from "uplot";
import type { Values } from "./data";
import { byId, element, numberText, timeText, unitText } from "./format";

const kColors = ["#4c9aff", "#f5a524", "#3fcf8e", "#ff6b81", "#b58bff", "#37c8d8", "#e0d34f", "#ff8f5a"];
const kMaxPoints = 20_000; // drawn of a column; more are thinned to their extremes

interface Series {
  node: string;
  field: number;
  color: string;
}
interface Chart {
  unit: string;
  series: Series[];
  plot: uPlot | null;
  box: HTMLElement;
  legend: HTMLElement;
}

export class Charts {
  private readonly box = byId("charts");
  private readonly splitter = byId("splitter");
  private charts: Chart[] = [];
  private time = 0;
  private row = 0;
  private range: [number, number] | null = null;

  constructor(
    private readonly values: Values,
    private readonly events: { sought(time: number): void; changed(): void },
  ) {
    new ResizeObserver(() => this.resize()).observe(this.box);
    let dragging = false;
    this.splitter.addEventListener("pointerdown", (event) => {
      dragging = true;
      this.splitter.setPointerCapture(event.pointerId);
    });
    this.splitter.addEventListener("pointermove", (event) => {
      if (!dragging) return;
      const whole = byId("view").getBoundingClientRect();
      const share = Math.min(0.85, Math.max(0.12, (whole.bottom - event.clientY) / whole.height));
      this.box.style.setProperty("--charts-height", `${(100 * share).toFixed(1)}%`);
    });
    this.splitter.addEventListener("pointerup", () => (dragging = false));
  }

  has(node: string, field: number): boolean {
    return this.charts.some((chart) => chart.series.some((s) => s.node === node && s.field === field));
  }

  /** What is drawn, as "node:field,...", for links. */
  get list(): string {
    return this.charts
      .flatMap((chart) => chart.series)
      .map((s) => `${s.node}:${this.values.node(s.node)?.fields[s.field]?.[0] ?? ""}`)
      .join(",");
  }
  set list(text: string) {
    for (const item of text.split(",").filter(Boolean)) {
      const colon = item.lastIndexOf(":");
      const node = item.slice(0, colon);
      const field = this.values.node(node)?.fields.findIndex((f) => f[0] === item.slice(colon + 1) && f[3] !== "text") ?? -1;
      if (field >= 0 && !this.has(node, field)) this.toggle(node, field);
    }
  }

  toggle(node: string, field: number): void {
    const shown = this.charts.find((chart) => chart.series.some((s) => s.node === node && s.field === field));
    if (shown) {
      shown.series = shown.series.filter((s) => s.node !== node || s.field !== field);
      if (shown.series.length === 0) this.remove(shown);
      else this.draw(shown);
    } else {
      const unit = this.values.node(node)?.fields[field]?.[1] ?? "1";
      let chart = this.charts.find((each) => each.unit === unit && each.series.length < 8);
      if (!chart) {
        const legend = element("div", { class: "legend" });
        const box = element("div", { class: "chart" }, legend);
        chart = { unit, series: [], plot: null, box, legend };
        this.charts.push(chart);
        this.box.append(box);
      }
      const used = new Set(chart.series.map((s) => s.color));
      const color = kColors.find((each) => !used.has(each)) ?? kColors[0];
      chart.series.push({ node, field, color });
      this.box.hidden = false;
      this.splitter.hidden = false;
      this.draw(chart);
    }
    this.resize();
    this.events.changed();
  }

  private remove(chart: Chart): void {
    chart.plot?.destroy();
    chart.box.remove();
    this.charts = this.charts.filter((each) => each !== chart);
    this.box.hidden = this.splitter.hidden = this.charts.length === 0;
  }

  private data(chart: Chart): uPlot.AlignedData {
    const rows = this.values.head.rows;
    const { dt } = this.values.head;
    const columns = chart.series.map((s) => this.values.column(s.node, s.field));
    if (rows <= kMaxPoints) {
      const times = Float64Array.from(this.values.steps, (step) => step * dt);
      return [times, ...columns.map((column) => (column ?? new Float32Array(rows)).subarray(0, rows))] as unknown as uPlot.AlignedData;
    }
    // The least and the greatest of each bucket, so that no peak is lost.
    const buckets = kMaxPoints / 2;
    const times: number[] = [];
    const thin = columns.map(() => [] as number[]);
    for (let b = 0; b < buckets; ++b) {
      const from = Math.floor((b * rows) / buckets);
      const to = Math.max(from + 1, Math.floor(((b + 1) * rows) / buckets));
      times.push(this.values.time(from), this.values.time(Math.min(rows - 1, from + ((to - from) >> 1))));
      columns.forEach((column, i) => {
        let [low, high] = [Infinity, -Infinity];
        for (let r = from; r < to; ++r) {
          const v = column?.[r] ?? 0;
          if (v < low) low = v;
          if (v > high) high = v;
        }
        thin[i].push(low, high);
      });
    }
    return [times, ...thin] as uPlot.AlignedData;
  }

  private draw(chart: Chart): void {
    chart.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const axis = { stroke: color("--dim"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line"), width: 1 } };
    const font = "11px system-ui, sans-serif";
    const options: uPlot.Options = {
      width: Math.max(100, this.box.clientWidth - 20),
      height: this.plotHeight(),
      legend: { show: false },
      scales: { x: { time: false, range: (_, low, high) => this.range ?? [low, high] } },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false } },
      axes: [
        { ...axis, font, size: 26, values: (_, ticks) => ticks.map((t) => timeText(t, 1).replace(/\.0$/, "")) },
        { ...axis, font, size: 58, values: (_, ticks) => ticks.map((v) => numberText(v)) },
      ],
      series: [
        {},
        ...chart.series.map((s) => ({ label: s.node, stroke: s.color, width: 1.5, points: { show: false }, spanGaps: false })),
      ],
      hooks: {
        draw: [(plot) => this.drawCursor(plot, color("--accent"))],
        setSelect: [
          (plot) => {
            if (plot.select.width < 4) return;
            this.range = [plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")];
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            this.rescale();
          },
        ],
        ready: [(plot) => this.listen(plot)],
      },
    };
    chart.plot = new uPlot(options, this.data(chart), chart.box);
    this.drawLegend(chart);
  }

  private listen(plot: uPlot): void {
    let down = -1;
    plot.over.addEventListener("pointerdown", (event) => (down = event.clientX));
    plot.over.addEventListener("pointerup", (event) => {
      if (Math.abs(event.clientX - down) < 4)
        this.events.sought(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
    });
    plot.over.addEventListener("dblclick", () => {
      this.range = null;
      this.rescale();
    });
  }

  private rescale(): void {
    for (const { plot } of this.charts) plot?.setData(plot.data, true);
  }

  private drawCursor(plot: uPlot, color: string): void {
    const x = Math.round(plot.valToPos(this.time, "x", true));
    const { left, top, width, height } = plot.bbox;
    if (x < left || x > left + width) return;
    plot.ctx.save();
    plot.ctx.strokeStyle = color;
    plot.ctx.lineWidth = Math.max(1.5, devicePixelRatio * 1.5);
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, top);
    plot.ctx.lineTo(x, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }

  private drawLegend(chart: Chart): void {
    const unit = unitText(chart.unit);
    chart.legend.replaceChildren(
      ...chart.series.map((s) => {
        const swatch = element("span", { class: "swatch", style: `background:${s.color}` });
        const value = element("b");
        value.dataset.value = "";
        const close = element("button", { title: "Take it out", "aria-label": `Take ${s.node} out of the charts` }, "×");
        close.addEventListener("click", () => this.toggle(s.node, s.field));
        const field = this.values.node(s.node)?.fields[s.field]?.[0] ?? "";
        return element("span", { class: "entry" }, swatch, `${s.node} · ${field}`, value, element("span", { class: "unit" }, unit), close);
      }),
    );
    this.refreshLegend(chart);
  }

  private refreshLegend(chart: Chart): void {
    chart.legend.querySelectorAll("[data-value]").forEach((each, i) => {
      const v = this.values.value(chart.series[i].node, chart.series[i].field, this.row);
      each.textContent = typeof v === "number" ? numberText(v) : "";
    });
  }

  /** Moves the cursor. */
  refresh(time: number, row: number): void {
    this.time = time;
    this.row = row;
    for (const chart of this.charts) {
      chart.plot?.redraw(false, false);
      this.refreshLegend(chart);
    }
  }

  /** After rows were added or taken away. */
  extend(): void {
    for (const chart of this.charts) chart.plot?.setData(this.data(chart), true);
  }

  /** After values were loaded, or the theme changed. */
  redraw(): void {
    for (const chart of this.charts) this.draw(chart);
    this.resize();
  }

  private plotHeight(): number {
    const room = this.box.clientHeight - 16;
    return Math.max(90, Math.floor(room / Math.max(1, Math.min(3, this.charts.length))) - 34);
  }
  private resize(): void {
    if (this.box.hidden || this.box.clientWidth === 0) return;
    for (const { plot } of this.charts) plot?.setSize({ width: Math.max(100, this.box.clientWidth - 20), height: this.plotHeight() });
  }
}
