// Columns of numbers as they are in a page (append_float_planes() in lib/view/blocks.hpp): one byte with the order of the differences, then
// these in zigzag, byte plane by byte plane, the highest first.

export function floats(bytes: Uint8Array, at: number, rows: number): Float32Array {
  const order = bytes[at++];
  const bits = new Uint32Array(rows);
  for (let i = 0; i < rows; ++i) {
    const z = (bytes[at + i] << 24) | (bytes[at + rows + i] << 16) | (bytes[at + 2 * rows + i] << 8) | bytes[at + 3 * rows + i];
    bits[i] = (z >>> 1) ^ -(z & 1);
  }
  for (let k = 0; k < order; ++k) for (let i = 1; i < rows; ++i) bits[i] += bits[i - 1];
  return new Float32Array(bits.buffer);
}

/** In halves of 32 bits, the lower one first: whole numbers of 64 bits are twenty times slower. */
export function doubles(bytes: Uint8Array, at: number, rows: number): Float64Array {
  const order = bytes[at++];
  const words = new Uint32Array(2 * rows);
  const word = (plane: number, i: number) =>
    (bytes[at + plane * rows + i] << 24) |
    (bytes[at + (plane + 1) * rows + i] << 16) |
    (bytes[at + (plane + 2) * rows + i] << 8) |
    bytes[at + (plane + 3) * rows + i];
  for (let i = 0; i < rows; ++i) {
    const high = word(0, i);
    const low = word(4, i);
    const sign = -(low & 1);
    words[2 * i] = ((low >>> 1) | (high << 31)) ^ sign;
    words[2 * i + 1] = (high >>> 1) ^ sign;
  }
  for (let k = 0; k < order; ++k)
    for (let i = 2; i < words.length; i += 2) {
      const sum = words[i] + words[i - 2];
      words[i] = sum;
      words[i + 1] += words[i - 1] + (sum > 0xffffffff ? 1 : 0);
    }
  return new Float64Array(words.buffer);
}
