// Bundles the page into one HTML file without references: node build.mjs [OUTPUT]. The same sources give the same bytes.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "replay.html");
const read = (...path) => readFileSync(join(here, ...path), "utf8");

const bundled = async (entry) => {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome110", "firefox115", "safari16.4"],
    legalComments: "none",
    loader: { ".glsl": "text" },
    charset: "utf8",
    write: false,
  });
  return outputFiles[0].text;
};
// Most of a page without much data is its program, which becomes a third by this: like the data, it is DEFLATE in base64.
const code = deflateRawSync(await bundled("src/main.ts"), { level: 9 }).toString("base64");
const loader = await bundled("src/loader.ts");
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
if (/<\/script|<!--/i.test(loader)) throw new Error("the loader would end its own element");
const page = read("src", "page.html")
  .replace("/*style*/", () => css.outputFiles[0].text)
  .replace("/*code*/", () => code)
  .replace("/*loader*/", () => loader)
  .replace("<!--licenses-->", () => `<!--\n${licenses}\n-->`);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1000).toFixed(0)} kB`);
