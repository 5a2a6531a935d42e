// A Parquet table has what its CSV has, to the last bit. Usage: node parquet-check.mjs TABLE.parquet TABLE.csv
import { readFileSync } from "node:fs";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";

const [table, csv] = process.argv.slice(2);
const file = await asyncBufferFromFile(table);
const metadata = await parquetMetadataAsync(file);
const rows = await parquetReadObjects({ file });
const cells = (line) => [...line.matchAll(/("((?:[^"]|"")*)"|[^,]*)(?:,|$)/g)].map((m) => (m[2] === undefined ? m[1] : m[2].replaceAll('""', '"')));
const [head, ...lines] = readFileSync(csv, "utf8").trimEnd().split("\r\n");
const names = cells(head).slice(0, Object.keys(rows[0]).length);
let compared = 0;
if (rows.length !== lines.length || Number(metadata.num_rows) !== lines.length) throw new Error(`${rows.length} rows, expected ${lines.length}`);
if (names.join() !== Object.keys(rows[0]).join()) throw new Error(`columns ${Object.keys(rows[0])}, expected ${names}`);
lines.forEach((line, i) => {
  cells(line).slice(0, names.length).forEach((cell, k) => {
    const value = rows[i][names[k]];
    const same = value === null || value === undefined ? cell === "" : typeof value === "number" ? value === Number(cell) : String(value) === cell;
    if (!same) throw new Error(`row ${i}, ${names[k]}: ${value}, expected ${cell}`);
    compared += 1;
  });
});
const keys = metadata.key_value_metadata.map((pair) => pair.key);
if (!keys.includes("simbatch.units") || !keys.includes("simbatch.inputs")) throw new Error(`metadata ${keys}`);
console.log(`${compared} values of ${rows.length} rows are the same`);
