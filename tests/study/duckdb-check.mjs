// DuckDB finds the same in a Parquet table as in its CSV. Usage: node duckdb-check.mjs TABLE.parquet TABLE.csv
import { DuckDBInstance } from "@duckdb/node-api";

const [parquet, csv] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const rows = async (query) => (await connection.runAndReadAll(query)).getRows();
const columns = await rows(`DESCRIBE FROM '${parquet}'`);
const types = Object.fromEntries(columns.map((column) => [column[0], column[1]]));
if (types.run !== "BIGINT" || types.verdict !== "VARCHAR") throw new Error(`columns ${JSON.stringify(types)}`);
// Read with the table's own types; an empty cell is an empty text where the table has texts.
const names = Object.keys(types).map((name) => (types[name] === "VARCHAR" ? `coalesce("${name}", '')` : `"${name}"`)).join(", ");
const listed = Object.entries(types).map(([name, type]) => `'${name}': '${type}'`).join(", ");
const table = `SELECT ${names} FROM '${parquet}'`;
const text = `SELECT ${names} FROM read_csv('${csv}', header = true, columns = {${listed}})`;
const [[count]] = await rows(`SELECT count(*) FROM (${table})`);
for (const query of [`(${table}) EXCEPT ALL (${text})`, `(${text}) EXCEPT ALL (${table})`]) {
  const other = await rows(query);
  if (other.length > 0) throw new Error(`${other.length} rows differ, the first: ${other[0]}`);
}
const units = await rows(`SELECT decode(value) FROM parquet_kv_metadata('${parquet}') WHERE decode(key) = 'simbatch.units'`);
if (units.length !== 1 || !String(units[0][0]).includes("\t")) throw new Error(`units ${units}`);
console.log(`DuckDB: ${count} rows of ${columns.length} columns are the same`);
