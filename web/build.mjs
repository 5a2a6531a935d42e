// Bundles the page into one HTML file without references: node build.mjs [OUTPUT]. The same sources give the same bytes.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "replay.html");
const read = (...path) => readFileSync(join(here, ...path), "utf8");

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome110", "firefox115", "safari16.4"],
  legalComments: "none",
  loader: { ".glsl": "text" },
  charset: "utf8",
  write: false,
});
const css = await build({
  absWorkingDir: here,
  entryPoints: ["src/style.css"],
  bundle: true,
  minify: true,
  write: false,
});
// The libraries' licenses ask for their text in every copy.
const licenses = [
  ["three.js", read("node_modules", "three", "LICENSE")],
  ["uPlot", read("node_modules", "uplot", "LICENSE")],
]
  .map(([name, text]) => `${name}\n${text.trim()}`)
  .join("\n\n")
  .replaceAll("--", "- -");
const script = outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const page = read("src", "page.html")
  .replace("/*style*/", () => css.outputFiles[0].text)
  .replace("/*script*/", () => script)
  .replace("<!--licenses-->", () => `<!--\n${licenses}\n-->`);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1000).toFixed(0)} kB`);
