// DEFLATE (RFC 1951) in base64: what pages are made of.

export const kTooOld = "This browser is too old to unpack the data in this page (it has no DecompressionStream).";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const fast = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (fast.fromBase64) return fast.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** @throws if it is neither */
export async function unpacked(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
