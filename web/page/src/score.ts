// Scores as texts.

import { Score } from "../../engine/answers";

/** Returns a score such as +0.27 or −#4. */
export function scoreText({ cp, mate }: Score): string {
  if (mate !== undefined) return `${mate < 0 ? "−" : ""}#${Math.abs(mate)}`;
  const value = (Math.abs(cp ?? 0) / 100).toFixed(Math.abs(cp ?? 0) < 1000 ? 2 : 0);
  return (cp ?? 0) < 0 ? `−${value}` : `+${value}`;
}
