// The page is split into two literals, since compilers guarantee only 65536 characters per literal.

#include "lib/study/report_page.hpp"

namespace simbatch::study::detail {

// clang-format off
const std::string_view kReportPage = R"page(<!DOCTYPE html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Study</title>
<style>
:root { --bg: #10141b; --panel: #161b24; --raised: #1e2531; --line: #2a3342; --text: #e6ebf2; --dim: #93a0b4; --accent: #4c9aff;
  --good: #3fcf8e; --warn: #f5b544; --bad: #ff6b6b; color-scheme: dark; }
:root[data-theme="light"] { --bg: #eef1f6; --panel: #fff; --raised: #f1f4f9; --line: #d5dce7; --text: #182230; --dim: #56647a;
  --accent: #1766d6; --good: #0b7a4b; --warn: #8f5a00; --bad: #c32530; color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 13px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; padding: 12px 20px; background: var(--panel); border-bottom: 1px solid var(--line); }
h1 { font-size: 16px; margin: 0; } h2 { font-size: 13px; margin: 0 0 10px; }
header .dim { flex: 1; } .dim { color: var(--dim); }
main { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: 14px; padding: 14px 20px; max-width: 1500px; margin: 0 auto; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 14px; grid-column: span 6; min-width: 0; }
section.wide { grid-column: span 12; } section.five { grid-column: span 5; } section.seven { grid-column: span 7; }
@media (max-width: 1100px) { section, section.five, section.seven { grid-column: span 12; } }
button, select { font: inherit; color: inherit; border: 1px solid var(--line); background: var(--raised); border-radius: 6px; padding: 3px 8px; max-width: 100%; }
button:hover, select:hover { border-color: var(--accent); } :focus-visible { outline: 2px solid var(--accent); }
label { display: inline-flex; gap: 6px; align-items: center; margin: 0 12px 8px 0; color: var(--dim); max-width: 100%; } label select { color: var(--text); min-width: 0; }
.cards { display: flex; flex-wrap: wrap; gap: 28px; align-items: baseline; }
.big { font-size: 30px; font-weight: 600; font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: right; color: var(--dim); font-weight: 500; } th:first-child, td:first-child, #worst th:last-child { text-align: left; }
td, th { padding: 3px 8px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
#spreads td, #spreads th { padding: 3px 5px; } #spreads td:first-child { white-space: normal; min-width: 11em; }
@media (max-width: 600px) { main { padding: 10px; } td, th { padding: 3px 5px; } .bar { min-width: 60px; } }
#worst td { border-bottom: 0; padding-bottom: 0; } #worst td.text { text-align: left; white-space: normal; padding: 0 8px 8px; border-bottom: 1px solid var(--line); }
#worst th:last-child { width: 100%; } #worst .verdict { color: var(--c); }
a { color: var(--accent); } summary { color: var(--dim); cursor: pointer; width: max-content; } details[open] summary { margin-bottom: 4px; }
.scroll { overflow-x: auto; }
code { font: 12px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; user-select: all; overflow-wrap: anywhere; color: var(--dim); white-space: normal; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--dim); font-size: 11px; } svg .grid { stroke: var(--line); } svg .bound { stroke: var(--dim); stroke-dasharray: 5 4; }
.bar { position: relative; height: 12px; width: 100%; min-width: 100px; background: var(--raised); border-radius: 3px; }
.bar i { position: absolute; top: 4px; height: 4px; background: var(--accent); opacity: .55; border-radius: 2px; }
.bar b { position: absolute; top: 1px; width: 3px; height: 10px; margin-left: -1px; background: var(--accent); border-radius: 1px; }
.swatch { display: inline-block; width: 22px; height: 9px; border-radius: 2px; margin-right: 5px; outline: 1px solid var(--line); }
.legend span { margin-right: 14px; } .legend span::before { content: ""; display: inline-block; width: 9px; height: 9px; border-radius: 50%; background: var(--c); margin-right: 5px; }
</style>
</head>
<body>
<header><h1 id="title"></h1><span class="dim" id="about"></span><button id="theme">Light</button></header>
<main>
<section class="wide"><div class="cards" id="cards"></div></section>
<section><h2>Scatter</h2>
<label>x <select id="sx"></select></label><label>y <select id="sy"></select></label><label>color <select id="sc"></select></label>
<div id="scatter"></div><div class="legend dim" id="legend"></div></section>
<section><h2>Heat map</h2>
<label>x <select id="hx"></select></label><label>y <select id="hy"></select></label><label>shows <select id="hv"></select></label>
<div id="heat"></div><div class="dim" id="scale"></div></section>
<section class="five"><h2>Share that passes, by parameter <span class="dim">(bar: 95 % interval)</span></h2><div class="scroll" id="groups"></div></section>
<section class="seven"><h2>Metrics and margins</h2><div class="scroll" id="spreads"></div></section>
<section class="wide"><h2>Worst runs <span class="dim" id="most"></span></h2><div class="scroll" id="worst"></div></section>
</main>
<script type="application/json" id="data">/*DATA*/</script>
)page"
R"page(<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const make = (name, attributes = {}, ...children) => {
  const svgNames = ["svg", "g", "rect", "circle", "line", "text", "title"];
  const node = svgNames.includes(name) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const shown = (v) => v === null || v === undefined ? "–" : String(Number(v.toPrecision(4)));
const percent = (v) => shown(100 * v) + " %";
const unit = (c) => c.unit ? ` (${c.unit})` : "";
const verdicts = ["pass", "fail", "error", "crash", "timeout"], paints = ["--good", "--bad", "--warn", "--warn", "--warn"];
const parameters = data.columns.filter((c) => c.role === "parameter");

function fill(select, options, chosen, changed) {
  options.forEach((name, i) => select.append(make("option", { value: i }, name)));
  select.value = String(Math.min(Math.max(chosen, 0), options.length - 1));
  select.addEventListener("change", changed);
}

function ticks(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
  const list = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step) list.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  return list;
}

/** A column as an axis: how far along a value is, 0 to 1, and its ticks. */
function axis(column, count) {
  const values = column.values.filter((v) => v !== null);
  let low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!values.length) low = 0, high = 1;
  const log = column.log && low > 0, choices = column.choices && column.choices.length ? column.choices : null;
  if (choices) low = -0.5, high = choices.length - 0.5;
  if (low === high) low -= 0.5, high += 0.5;
  const f = log ? Math.log10 : (v) => v, a = f(low), b = f(high);
  const places = choices ? choices.map((name, i) => [i, name])
    : log ? ticks(a, b, count).map((e) => [10 ** e, shown(10 ** e)]) : ticks(low, high, count).map((v) => [v, shown(v)]);
  return { low, high, share: (v) => (f(v) - a) / (b - a), ticks: places, name: column.name + unit(column), choices, bound: column.role === "margin" };
}

const L = 64, R = 14, T = 10, B = 46;
let W = 640, H = 400;
/** Charts are as wide as their place, so that their texts have the size of all others. */
function fit(id) {
  W = Math.min(Math.max(at(id).clientWidth, 260), 1100);
  H = Math.min(Math.max(W * 0.62, 240), 400);
}

function frame(x, y) {
  const svg = make("svg", { viewBox: `0 0 ${W} ${H}`, role: "img" });
  for (const [v, text] of x.ticks) {
    const px = L + (W - L - R) * x.share(v);
    svg.append(make("line", { class: "grid", x1: px, x2: px, y1: T, y2: H - B }), make("text", { x: px, y: H - B + 16, "text-anchor": "middle" }, text));
  }
  for (const [v, text] of y.ticks) {
    const py = H - B - (H - B - T) * y.share(v);
    svg.append(make("line", { class: "grid", x1: L, x2: W - R, y1: py, y2: py }), make("text", { x: L - 6, y: py + 4, "text-anchor": "end" }, text));
  }
  // Where an expectation is just met.
  if (y.bound && y.low < 0 && y.high > 0) svg.append(make("line", { class: "bound", x1: L, x2: W - R, y1: H - B - (H - B - T) * y.share(0), y2: H - B - (H - B - T) * y.share(0) }));
  if (x.bound && x.low < 0 && x.high > 0) svg.append(make("line", { class: "bound", x1: L + (W - L - R) * x.share(0), x2: L + (W - L - R) * x.share(0), y1: T, y2: H - B }));
  svg.append(make("text", { x: (L + W - R) / 2, y: H - 8, "text-anchor": "middle" }, x.name));
  const most = Math.floor((H - B) / 6), name = y.name.length > most ? y.name.slice(0, most - 1) + "…" : y.name;
  svg.append(make("text", { transform: `translate(12 ${(T + H - B) / 2}) rotate(-90)`, "text-anchor": "middle" }, name));
  return svg;
}

/** From dark blue over green to yellow; readable in both themes. */
function paint(share) {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1), i = Math.min(Math.floor(place), stops.length - 2), t = place - i;
  return `rgb(${stops[i].map((v, k) => Math.round(v + t * (stops[i + 1][k] - v))).join(" ")})`;
}

function drawScatter() {
  const cx = data.columns[at("sx").value], cy = data.columns[at("sy").value], cc = data.columns[at("sc").value - 1];
  fit("scatter");
  const x = axis(cx, Math.max(5, W / 100)), y = axis(cy, 5), c = cc && axis(cc, 4), svg = frame(x, y);
  const title = (i) => `run ${data.run[i]}: ${verdicts[data.verdict[i]]}\n` + data.columns.map((k) => `${k.name}: ${k.choices && k.choices.length ? k.choices[k.values[i]] : shown(k.values[i])}`).join("\n");
  let left = 0;
  for (let i = 0; i < data.run.length; ++i) {
    const vx = cx.values[i], vy = cy.values[i];
    if (vx === null || vy === null) { ++left; continue; }
    const color = c ? (cc.values[i] === null ? "var(--dim)" : paint(c.share(cc.values[i]))) : `var(${paints[data.verdict[i]]})`;
    svg.append(make("circle", { cx: (L + (W - L - R) * x.share(vx)).toFixed(1), cy: (H - B - (H - B - T) * y.share(vy)).toFixed(1),
      r: data.run.length > 3000 ? 1.6 : 3, fill: color, "fill-opacity": 0.75 }, make("title", {}, title(i))));
  }
  at("scatter").replaceChildren(svg);
  const legend = c ? [make("span", { style: `--c:${paint(0)}` }, shown(c.low)), make("span", { style: `--c:${paint(1)}` }, shown(c.high) + unit(cc))]
    : [...new Set(data.verdict)].sort().map((v) => make("span", { style: `--c:var(${paints[v]})` }, verdicts[v]));
  if (left) legend.push(`${left} runs have no value here, or an infinite one`);
  if (data.stride > 1) legend.push(` each ${data.stride}th run is drawn`);
  at("legend").replaceChildren(...legend);
}

/** As axis(), but a few values, as those of a grid, are cells beside each other. */
function cellAxis(column, count) {
  const plain = axis(column, count), levels = [...new Set(column.values)].filter((v) => v !== null).sort((a, b) => a - b);
  if (plain.choices || levels.length > 16 || levels.length < 2 || data.run.length <= 2 * levels.length) return plain;
  const middle = (i) => (i + 0.5) / levels.length, every = Math.ceil(levels.length / (2 * count));
  return { ...plain, choices: levels.map(shown), share: (v) => middle(levels.indexOf(v)), ticks: levels.map((v) => [v, shown(v)]).filter((_, i) => i % every === 0) };
}

function drawHeat() {
  const cx = parameters[at("hx").value], cy = parameters[at("hy").value], which = Number(at("hv").value);
  const shownColumn = which > 0 ? data.columns.filter((c) => c.role !== "parameter")[which - 1] : null;
  fit("heat");
  const x = cellAxis(cx, Math.max(4, W / 100)), y = cellAxis(cy, 5), svg = frame(x, y);
  const bins = (a, c) => a.choices ? a.choices.length : Math.min(new Set(c.values).size, Math.max(3, Math.min(16, Math.round(Math.sqrt(data.run.length / 4)))));
  const nx = bins(x, cx), ny = bins(y, cy), cells = new Map();
  const bin = (share, n) => Math.min(Math.max(Math.floor(share * n), 0), n - 1);
  data.run.forEach((_, i) => {
    const value = shownColumn ? shownColumn.values[i] : data.verdict[i] === 0 ? 1 : 0;
    if (value === null) return;
    const key = bin(x.share(cx.values[i]), nx) + "," + bin(y.share(cy.values[i]), ny);
    const cell = cells.get(key) ?? { n: 0, sum: 0 };
    cell.n += 1; cell.sum += value; cells.set(key, cell);
  });
  const means = [...cells.values()].map((c) => c.sum / c.n);
  const low = shownColumn ? Math.min(...means) : 0, high = shownColumn ? Math.max(...means) : 1;
  const group = make("g");
  for (const [key, cell] of cells) {
    const [i, j] = key.split(",").map(Number), mean = cell.sum / cell.n, w = (W - L - R) / nx, h = (H - B - T) / ny;
    group.append(make("rect", { x: L + i * w + 0.5, y: H - B - (j + 1) * h + 0.5, width: w - 1, height: h - 1, rx: 2, fill: paint(high > low ? (mean - low) / (high - low) : 1) },
      make("title", {}, `${shownColumn ? shown(mean) : percent(mean)} of ${cell.n} runs`)));
  }
  svg.append(group);
  at("heat").replaceChildren(svg);
  at("scale").replaceChildren(...[0, 0.25, 0.5, 0.75, 1].map((t) => {
    const v = low + t * (high - low);
    return make("span", { style: `margin-right:14px;display:inline-block` }, make("span", { class: "swatch", style: `background:${paint(t)}` }), shownColumn ? shown(v) : percent(v));
  }));
}

/** The result that fails most, or varies, and the parameter that it goes with most. */
function tellingAxes() {
  const spread = (c) => { const v = c.values.filter((x) => x !== null); return v.length > 0 && Math.max(...v.slice(0, 5000)) > Math.min(...v.slice(0, 5000)); };
  const score = (c) => c.role === "parameter" || !spread(c) ? -1 : c.role === "margin" ? 1 + c.values.filter((v) => v !== null && v < 0).length : 0.5;
  let y = 0;
  data.columns.forEach((c, i) => { if (score(c) > score(data.columns[y])) y = i; });
  const correlation = (a, b) => {
    let n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    a.values.forEach((va, i) => { const vb = b.values[i]; if (va !== null && vb !== null) n += 1, sa += va, sb += vb, saa += va * va, sbb += vb * vb, sab += va * vb; });
    const spreads = (saa - sa * sa / n) * (sbb - sb * sb / n);
    return spreads > 0 ? Math.abs(sab - sa * sb / n) / Math.sqrt(spreads) : 0;
  };
  let x = 0;
  parameters.forEach((c, i) => { if (correlation(c, data.columns[y]) > correlation(parameters[x], data.columns[y])) x = i; });
  return [x, y === x ? Math.min(1, data.columns.length - 1) : y];
}

function table(target, heads, rows) {
  const body = rows.map((cells) => make("tr", {}, ...cells.map((cell) => cell instanceof Node && cell.nodeName === "TD" ? cell : make("td", {}, cell))));
  at(target).replaceChildren(make("table", {}, make("tr", {}, ...heads.map((h) => make("th", {}, h))), ...body));
}

function start() {
  document.title = `${data.name}: study`;
  at("title").textContent = data.name;
  at("about").textContent = `${data.scenario}, ${data.design} design of ${data.runs} runs, seed ${data.seed}; ${data.generator}`;
  const [share, low, high] = data.share, card = (big, text, style = "") => make("div", {}, make("div", { class: "big " + style }, big), make("div", { class: "dim" }, text));
  at("cards").append(card(percent(share), `pass; 95 % interval ${percent(low)} to ${percent(high)} (Wilson)`, share === 1 ? "good" : ""), card(String(data.pass), "pass", "good"),
    card(String(data.fail), "fail", data.fail ? "bad" : "dim"), card(String(data.broken), "broke: error, crash or timeout", data.broken ? "warn" : "dim"));
  const names = data.columns.map((c) => c.name), results = data.columns.filter((c) => c.role !== "parameter");
  const [sx, sy] = tellingAxes();
  fill(at("sx"), names, sx, drawScatter);
  fill(at("sy"), names, sy, drawScatter);
  fill(at("sc"), ["verdict", ...names], 0, drawScatter);
  fill(at("hx"), parameters.map((c) => c.name), data.heat ? data.heat[0] : 0, drawHeat);
  fill(at("hy"), parameters.map((c) => c.name), data.heat ? data.heat[1] : 1, drawHeat);
  fill(at("hv"), ["share that passes", ...results.map((c) => "mean of " + c.name)], 0, drawHeat);
  drawScatter();
  drawHeat();
  addEventListener("resize", () => { drawScatter(); drawHeat(); });
  const shownValue = (v) => v.length > 9 && Number.isFinite(Number(v)) ? shown(Number(v)) : v;
  const rows = [];
  for (const [name, groups] of data.groups)
    groups.forEach(([label, n, pass, [s, a, b]], i) => rows.push([i ? "" : name, shownValue(label), String(n), percent(s),
      make("div", { class: "bar", title: `${percent(a)} to ${percent(b)}; ${pass} of ${n}` }, make("i", { style: `left:${100 * a}%;width:${100 * (b - a)}%` }), make("b", { style: `left:${100 * s}%` }))]));
  table("groups", ["parameter", "value", "runs", "pass", ""], rows);
  table("spreads", ["", "fails", "values", "mean", "least", "5 %", "25 %", "median", "75 %", "95 %", "greatest"],
    data.spreads.map(([name, u, fails, n, ...rest]) => [name + (u ? ` (${u})` : ""), fails === null ? "" : String(fails), String(n), ...rest.map((v) => n ? shown(v) : "–")]));
  if (!data.worst.length) at("worst").textContent = "All runs pass.";
  else {
    const rows = data.worst.flatMap((w) => {
      const run = w.replay ? make("a", { href: w.replay, title: "the run's replay page" }, `run ${w.run}`) : `run ${w.run}`;
      const cells = [run, make("span", { class: "verdict", style: `--c:var(${paints[verdicts.indexOf(w.verdict)]})` }, w.verdict), ...w.values.map(shownValue), ""];
      const commands = make("details", {}, make("summary", {}, "commands that show it, in the study's folder"), make("code", {}, w.command));
      return [cells, [make("td", { class: "text", colspan: String(cells.length) }, make("div", {}, w.message), commands)]];
    });
    at("most").textContent = `(${data.worst.length} of ${data.fail + data.broken})`;
    table("worst", ["", "verdict", ...parameters.map((c) => c.name), ""], rows);
  }
}
at("theme").addEventListener("click", () => {
  const light = document.documentElement.dataset.theme !== "light";
  document.documentElement.dataset.theme = light ? "light" : "dark";
  at("theme").textContent = light ? "Dark" : "Light";
});
start();
</script>
</body>
</html>
)page";
// clang-format on

}  // namespace simbatch::study::detail
