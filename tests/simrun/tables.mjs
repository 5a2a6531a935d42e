// A Parquet trace has the values of its JSON, to the last bit. Usage: node tables.mjs NAME... for NAME.parquet and NAME.json
import { readFileSync } from "node:fs";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

let compared = 0;
for (const name of process.argv.slice(2)) {
  const trace = JSON.parse(readFileSync(`${name}.json`, "utf8"));
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(`${name}.parquet`), compressors });
  if (rows.length !== trace.step.length) throw new Error(`${name}: ${rows.length} rows, expected ${trace.step.length}`);
  const check = (column, values) =>
    rows.forEach((row, i) => {
      const value = typeof row[column] === "bigint" ? Number(row[column]) : row[column];
      if (!Object.is(value, values[i])) throw new Error(`${name}, ${column}, row ${i}: ${value}, expected ${values[i]}`);
      compared += 1;
    });
  check("step", trace.step);
  check("time", trace.time);
  for (const device of trace.devices)
    for (const field of device.fields) check(`${device.name}.${field.name}`, trace.data[device.name][field.name]);
}
console.log(`${compared} values are the same in Parquet`);
