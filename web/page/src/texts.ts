// All texts of the page, except sentences about rules, which come from the engine.

import { english } from "./texts/en";

export type TextKey = keyof typeof english;

/** Returns a text with its values filled in. */
export const t = (key: TextKey, values: Record<string, string | number> = {}): string =>
  english[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Returns a move in words for screen readers. */
export function spoken(san: string): string {
  const ending = san.endsWith("#") ? `, ${t("spokenMate")}` : san.endsWith("+") ? `, ${t("spokenCheck")}` : "";
  const bare = san.replace(/[+#]$/, "");
  if (bare.startsWith("O-O")) return (bare === "O-O" ? t("spokenShort") : t("spokenLong")) + ending;
  return bare.replace(/^[KQRBN]/, letter => `${t(`piece${letter}` as TextKey)} `)
    .replace("x", ` ${t("spokenTakes")} `)
    .replace(/=(.)/, (_, letter: string) => ` ${t("spokenPromotes")} ${t(`piece${letter}` as TextKey)}`) + ending;
}
