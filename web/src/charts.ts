// Charts of any fields over time, those of one unit together, tied to the time that is shown.
import uPlot from "uplot";
import { isText, type Values } from "./data";
import { momentOf } from "./expectations";
import { byId, element, numberText, timeText, unitText } from "./format";
import { brokenRows, canBeDrawn, fieldSeries, kBound, type Series, sideSeries } from "./series";
import { thinned } from "./thin";

const kColors = ["#4c9aff", "#f5a524", "#3fcf8e", "#ff6b81", "#b58bff", "#37c8d8", "#e0d34f", "#ff8f5a"];
const kMaxPoints = 20_000; // drawn of a column; more that are in sight are thinned to their extremes

interface Chart {
  unit: string;
  expectation: number; // -1: of fields
  broken: [number, number][]; // times between which the expectation's comparison does not hold
  series: Series[];
  plot: uPlot | null;
  box: HTMLElement;
  legend: HTMLElement;
}

/** Ticks with just enough decimals to differ. */
function tickTexts(ticks: number[]): string[] {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 0;
  const largest = Math.max(...ticks.map(Math.abs));
  if (!(step > 0) || largest >= 1e7 || step < 1e-9 || largest < 1e-3) return ticks.map((v) => numberText(v));
  let decimals = 0; // those of the step: 2.5 has one
  while (decimals < 12 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-3) ++decimals;
  return ticks.map((v) => (v === 0 ? "0" : v.toFixed(decimals)));
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
    new ResizeObserver(() => requestAnimationFrame(() => this.resize())).observe(this.box);
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

  private chartOf(key: string): Chart | undefined {
    return this.charts.find((chart) => chart.series.some((s) => s.key === key));
  }
  has(node: string, field: number): boolean {
    return this.chartOf(`${node}:${this.values.node(node)?.fields[field]?.[0] ?? ""}`) !== undefined;
  }
  hasExpectation(expectation: number): boolean {
    return this.chartOf(`!${expectation}`) !== undefined;
  }

  /** Of each chart: points, and the least and the greatest value of its first curve. */
  get drawn(): { points: number; least: number; greatest: number }[] {
    return this.charts.map(({ plot }) => {
      let [least, greatest] = [Infinity, -Infinity];
      for (const v of (plot?.data[1] ?? []) as ArrayLike<number | null> & Iterable<number | null>)
        if (v !== null) [least, greatest] = [Math.min(least, v), Math.max(greatest, v)];
      return { points: plot?.data[0].length ?? 0, least, greatest };
    });
  }

  /** What is drawn, as "node:field,...", for links; "!0" is the first expectation. */
  get list(): string {
    return [...new Set(this.charts.flatMap((chart) => chart.series).map((s) => s.key))].join(",");
  }
  set list(text: string) {
    for (const item of text.split(",").filter(Boolean)) {
      if (/^!\d+$/.test(item)) {
        const expectation = Number(item.slice(1));
        if (expectation < this.values.head.expectations.length && !this.hasExpectation(expectation)) this.toggleExpectation(expectation);
        continue;
      }
      const colon = item.lastIndexOf(":");
      const node = item.slice(0, colon);
      const field = this.values.node(node)?.fields.findIndex((f) => f[0] === item.slice(colon + 1) && !isText(f)) ?? -1;
      if (field >= 0 && !this.has(node, field)) this.toggle(node, field);
    }
  }

  toggle(node: string, field: number): void {
    const key = fieldSeries(this.values, node, field, "").key;
    const shown = this.chartOf(key);
    if (shown) {
      this.takeOut(shown, key);
    } else {
      const unit = this.values.node(node)?.fields[field]?.[1] ?? "1";
      const chart = this.charts.find((each) => each.unit === unit && each.expectation < 0 && each.series.length < 8) ?? this.add(unit, -1);
      const used = new Set(chart.series.map((s) => s.color));
      const color = kColors.find((each) => !used.has(each)) ?? kColors[0];
      chart.series.push(fieldSeries(this.values, node, field, color));
      this.draw(chart);
    }
    this.resize();
    this.events.changed();
  }

  /** Signal and bound of an expectation, in a chart of their own. */
  toggleExpectation(expectation: number): void {
    const shown = this.chartOf(`!${expectation}`);
    const { comparisons, outcome } = this.values.head.expectations[expectation];
    if (shown) {
      this.remove(shown);
    } else if (canBeDrawn(comparisons, outcome)) {
      const chart = this.add((comparisons[outcome.deciding] ?? comparisons[0]).unit || "1", expectation);
      chart.series = sideSeries(this.values, expectation);
      this.draw(chart);
    }
    this.resize();
    this.events.changed();
  }

  private add(unit: string, expectation: number): Chart {
    const legend = element("div", { class: "legend" });
    const box = element("div", { class: "chart" }, legend);
    const chart: Chart = { unit, expectation, broken: [], series: [], plot: null, box, legend };
    this.charts.push(chart);
    this.box.append(box);
    this.box.hidden = false;
    this.makeRoom();
    this.splitter.hidden = false;
    return chart;
  }

  private takeOut(chart: Chart, key: string): void {
    chart.series = chart.series.filter((s) => s.key !== key);
    if (chart.series.length === 0) this.remove(chart);
    else this.draw(chart);
  }

  private remove(chart: Chart): void {
    chart.plot?.destroy();
    chart.box.remove();
    this.charts = this.charts.filter((each) => each !== chart);
    this.box.hidden = this.splitter.hidden = this.charts.length === 0;
    this.makeRoom();
  }

  /** More for several charts, unless the splitter was moved. */
  private makeRoom(): void {
    this.box.style.setProperty("--charts-usual", `${[38, 38, 46, 56][Math.min(3, this.charts.length)]}%`);
  }

  private data(chart: Chart): uPlot.AlignedData {
    const rows = this.values.head.rows;
    const columns = chart.series.map((s) => s.column());
    const [left, right] = columns;
    const sign = this.comparisonOf(chart);
    chart.broken = sign && left && right ? brokenRows(sign, left, right, rows).map(([a, b]) => [this.values.time(a), this.values.time(b)]) : [];
    // A row more on each side of what is in sight, so that curves reach the edges.
    const [from, to] = this.range ? [this.values.rowAt(this.range[0])[0], Math.min(rows, this.values.rowAt(this.range[1])[0] + 2)] : [0, rows];
    return thinned((row) => this.values.time(row), columns, [from, to], kMaxPoints) as uPlot.AlignedData;
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
        {
          ...axis,
          font,
          space: 24,
          size: (_, texts) => 20 + 6.6 * Math.max(5, ...(texts ?? []).map((text) => text.length)),
          values: (_, ticks) => tickTexts(ticks),
        },
      ],
      series: [
        {},
        ...chart.series.map((s) => ({ label: s.label, stroke: s.color, dash: s.dash, width: 1.5, points: { show: false }, spanGaps: false })),
      ],
      hooks: {
        drawAxes: [(plot) => this.drawBroken(plot, chart)],
        draw: [
          (plot) => {
            this.drawMoments(plot, chart);
            this.drawLine(plot, this.time, color("--accent"));
          },
        ],
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
    for (const chart of this.charts) chart.plot?.setData(this.data(chart), true);
  }

  private comparisonOf(chart: Chart): string {
    if (chart.expectation < 0) return "";
    const { comparisons, outcome } = this.values.head.expectations[chart.expectation];
    return (comparisons[outcome.deciding] ?? comparisons[0])?.comparison ?? "";
  }

  /** Where the comparison of an expectation does not hold, behind the curves. */
  private drawBroken(plot: uPlot, chart: Chart): void {
    const { left, top, width, height } = plot.bbox;
    plot.ctx.save();
    plot.ctx.fillStyle = `${kBound}2e`;
    for (const [from, to] of chart.broken) {
      const a = Math.max(left, plot.valToPos(from, "x", true));
      const b = Math.min(left + width, plot.valToPos(to, "x", true));
      if (b >= a) plot.ctx.fillRect(a, top, Math.max(devicePixelRatio, b - a), height);
    }
    plot.ctx.restore();
  }

  /** When an expectation was broken, and where its margin is least. */
  private drawMoments(plot: uPlot, chart: Chart): void {
    if (chart.expectation < 0) return;
    const { outcome } = this.values.head.expectations[chart.expectation];
    const { dt } = this.values.head;
    const moment = momentOf(outcome);
    if (moment !== null && outcome.verdict === "fails") this.drawLine(plot, moment * dt, kBound, [3, 3]);
    if (outcome.step === null || outcome.left === null) return;
    const [x, y] = [plot.valToPos(outcome.step * dt, "x", true), plot.valToPos(outcome.left, "y", true)];
    const { left, top, width, height } = plot.bbox;
    if (!(x >= left && x <= left + width && y >= top && y <= top + height)) return;
    plot.ctx.save();
    plot.ctx.fillStyle = outcome.verdict === "fails" ? kBound : "#3fcf8e";
    plot.ctx.beginPath();
    plot.ctx.arc(x, y, 4 * devicePixelRatio, 0, 2 * Math.PI);
    plot.ctx.fill();
    plot.ctx.restore();
  }

  private drawLine(plot: uPlot, time: number, color: string, dash: number[] = []): void {
    const x = Math.round(plot.valToPos(time, "x", true));
    const { left, top, width, height } = plot.bbox;
    if (x < left || x > left + width) return;
    plot.ctx.save();
    plot.ctx.strokeStyle = color;
    plot.ctx.lineWidth = Math.max(1.5, devicePixelRatio * 1.5);
    plot.ctx.setLineDash(dash.map((each) => each * devicePixelRatio));
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, top);
    plot.ctx.lineTo(x, top + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  }

  private drawLegend(chart: Chart): void {
    const unit = unitText(chart.unit);
    const expectation = chart.expectation >= 0 ? this.values.head.expectations[chart.expectation] : null;
    const title = expectation ? [element("b", { class: "title", title: expectation.text }, expectation.name)] : [];
    chart.legend.replaceChildren(
      ...title,
      ...chart.series.map((s) => {
        const swatch = element("span", { class: "swatch", style: `background:${s.color}` });
        const value = element("b");
        value.dataset.value = "";
        const close = element("button", { title: "Remove", "aria-label": `Remove ${s.label} from the charts` }, "×");
        close.addEventListener("click", () => {
          if (expectation) this.remove(chart);
          else this.takeOut(chart, s.key);
          this.resize();
          this.events.changed();
        });
        return element("span", { class: "entry" }, swatch, s.label, value, element("span", { class: "unit" }, unit), close);
      }),
    );
    this.refreshLegend(chart);
  }

  private refreshLegend(chart: Chart): void {
    chart.legend.querySelectorAll("[data-value]").forEach((each, i) => {
      each.textContent = chart.series[i].text(this.row);
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
    return Math.max(64, Math.floor(room / Math.max(1, Math.min(3, this.charts.length))) - 34);
  }
  private resize(): void {
    if (this.box.hidden || this.box.clientWidth === 0) return;
    for (const { plot } of this.charts) plot?.setSize({ width: Math.max(100, this.box.clientWidth - 20), height: this.plotHeight() });
  }
}
