/** Unpacks what `build.mjs` has compressed into an element of the page. */
export function unpack(id: string): Response {
  const packed = Uint8Array.from(atob(document.getElementById(id)?.textContent ?? ""), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
