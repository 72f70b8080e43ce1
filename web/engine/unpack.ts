/** Unpacks what `build.mjs` has compressed to gzip and base64. */
export function unpack(text: string): Response {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
