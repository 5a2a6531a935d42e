// Long columns for charts.

/** x and y of points that show rows from..to of columns: all of them, or, if these are more than `most`, the least and the greatest of each of
 * most / 2 pieces in the order in which they come, so that no peak is lost. Of a column that ends earlier, or is not there, null. */
export function thinned(
  time: (row: number) => number,
  columns: (ArrayLike<number> | null)[],
  [from, to]: [number, number],
  most: number,
): [number[], ...(number | null)[][]] {
  const rows = to - from;
  const times: number[] = [];
  const points = columns.map(() => [] as (number | null)[]);
  if (rows <= most) {
    for (let row = from; row < to; ++row) {
      times.push(time(row));
      columns.forEach((column, i) => points[i].push(column?.[row] ?? null));
    }
    return [times, ...points];
  }
  const pieces = most / 2;
  for (let piece = 0; piece < pieces; ++piece) {
    const begin = from + Math.floor((piece * rows) / pieces);
    const end = from + Math.floor(((piece + 1) * rows) / pieces);
    times.push(time(begin), time((begin + end) >> 1));
    columns.forEach((column, i) => {
      let [least, greatest] = [-1, -1];
      for (let row = begin; row < Math.min(end, column?.length ?? 0); ++row) {
        const v = column![row];
        if (Number.isNaN(v)) continue;
        if (least < 0 || v < column![least]) least = row;
        if (greatest < 0 || v > column![greatest]) greatest = row;
      }
      for (const row of [Math.min(least, greatest), Math.max(least, greatest)]) points[i].push(row < 0 ? null : column![row]);
    });
  }
  return [times, ...points];
}
