/** How many bits two letters hold, and a last letter alone. */
const PAIR_BITS = 13;
const SINGLE_BITS = 6;
/** The letters are the visible ASCII characters except these, which need an escape in HTML or in a JavaScript string. */
const EXCLUDED = ['"', "<", "\\"].map((letter) => letter.charCodeAt(0));
const FIRST = "!".charCodeAt(0);

/** Returns which of the 91 letters it is, 0 to 90. */
const digit = (code: number): number => code - FIRST - EXCLUDED.filter((excluded) => excluded < code).length;
const DIGITS = Array.from({ length: 128 }, (_, code) => digit(code));

/** Unpacks what `build.mjs` has compressed to gzip and written in basE91: each pair of letters is a number in base 91. */
export function unpack(text: string): Response {
  const bits = PAIR_BITS * (text.length >> 1) + SINGLE_BITS * (text.length & 1);
  const packed = new Uint8Array(bits >> 3);
  for (let letter = 0, at = 0, held = 0, count = 0; letter < text.length; letter += 2) {
    const [low, high] = [text.charCodeAt(letter), text.charCodeAt(letter + 1)];
    held |= (DIGITS[low]! + 91 * (DIGITS[high] ?? 0)) << count;
    for (count += PAIR_BITS; count >= 8; count -= 8, held >>= 8) packed[at++] = held;
  }
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
