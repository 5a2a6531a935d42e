// DuckDB reads the values of a trace's JSON from its Parquet table, to the last bit. Usage: node duckdb.mjs NAME... for NAME.parquet and NAME.json
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const connection = await (await DuckDBInstance.create(":memory:")).connect();
let compared = 0;
for (const name of process.argv.slice(2)) {
  const trace = JSON.parse(readFileSync(`${name}.json`, "utf8"));
  const table = (await connection.runAndReadAll(`FROM '${name}.parquet' ORDER BY step`)).getColumnsObject();
  const check = (column, values) => {
    const found = table[column] ?? [];
    if (found.length !== values.length) throw new Error(`${name}, ${column}: ${found.length} rows, expected ${values.length}`);
    found.forEach((value, i) => {
      if (!Object.is(typeof value === "bigint" ? Number(value) : value, values[i])) throw new Error(`${name}, ${column}, row ${i}: ${value}, expected ${values[i]}`);
    });
    compared += values.length;
  };
  check("step", trace.step);
  check("time", trace.time);
  for (const device of trace.devices)
    for (const field of device.fields) check(`${device.name}.${field.name}`, trace.data[device.name][field.name]);
}
// What docs/formats/trace.md shows.
const speed = "impreza.chassis.velocimeter0.speed";
const largest = (await connection.runAndReadAll(`select max("${speed}") from 'circle_town.parquet'`)).getRows()[0][0];
const speeds = JSON.parse(readFileSync("circle_town.json", "utf8")).data["impreza.chassis.velocimeter0"].speed;
if (largest !== Math.max(...speeds)) throw new Error(`max(${speed}) is ${largest}`);
console.log(`${compared} values are the same in DuckDB`);
