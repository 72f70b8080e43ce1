// The languages of the page: its own texts, what the engine says, and the letters of the pieces.

import { load, save } from "./storage";
import { english, sentences, TextKey, Translation, words } from "./texts/en";
import { spanish } from "./texts/es";
import { polish } from "./texts/pl";

export type { TextKey };

/** The languages by their tags, with the names that they give themselves. */
export const LANGUAGES = { en: "English", es: "Español", pl: "Polski" };
export type Language = keyof typeof LANGUAGES;
const TRANSLATIONS: Partial<Record<Language, Translation>> = { es: spanish, pl: polish };
/** The names that Unicode gives to plural forms, in the order of our texts. A number that needs another form gets the last. */
const FORMS: Record<Language, Intl.LDMLPluralRule[]> = { en: ["one", "other"], es: ["one", "other"], pl: ["one", "few", "many"] };
const ENGLISH_LETTERS = "KQRBN";

/** The language that the user chose, or else the first of the browser's languages that the page knows. */
export const language: Language = [load<string>("language"), ...navigator.languages.map(tag => tag.split("-")[0])]
  .find((tag): tag is Language => tag !== undefined && Object.hasOwn(LANGUAGES, tag)) ?? "en";
const translation = TRANSLATIONS[language];
const plurals = new Intl.PluralRules(language);
document.documentElement.lang = language;

/** Shows the page in another language. */
export function setLanguage(tag: Language): void {
  save("language", tag);
  location.reload();
}

type Values = Record<string, string | number>;

/** Fills the gaps in a text. Outside English, a colour is capitalised only where the text begins with it. */
function fill(text: string, values: Values): string {
  const forms = text.split("|"), [, counted] = /\{(\w+)\}/.exec(text) ?? [];
  const form = forms.length === 1 ? text : forms[FORMS[language].indexOf(plurals.select(Number(values[counted!])))] ?? forms.at(-1)!;
  const filled = form.replace(/\{(\w+)\}/g, (_, name: string) => name === "side" && translation ? String(values[name]).toLowerCase() : String(values[name]));
  return form.startsWith("{side}") ? capitalised(filled) : filled;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a text with its values filled in. */
export function t(key: TextKey, values: Values = {}): string {
  const text = fill((translation?.texts ?? english)[key], values);
  return key === "white" || key === "black" ? capitalised(text) : text;
}

/** Replaces the letters of pieces in moves, and in squares such as Nb1. */
const replaceLetters = (text: string, from: string, to: string): string =>
  text.replace(new RegExp(`\\b[${from}](?=[a-h]?[1-8]?[x:]?[a-h][1-8])|(?<==)[${from}]`, "g"), letter => to.charAt(from.indexOf(letter)));

/** Returns moves in algebraic notation with the letters of the language. */
export const moveText = (san: string): string => translation ? replaceLetters(san, ENGLISH_LETTERS, translation.letters) : san;

/** Returns what was typed as a move, or as a back rank, with English letters. */
export const typedMove = (text: string): string => translation ? replaceLetters(text, translation.letters, ENGLISH_LETTERS) : text;

/** Returns what a typed move may stand for: first the text as it is, then what somebody in a hurry would mean by it. */
export function spellings(text: string): string[] {
  const small = text.toLowerCase(), castling = /^[o0]-?[o0](-?[o0])?[+#]?$/.exec(small);
  let hasty = capitalised(text);
  if (castling) hasty = castling[1] ? "O-O-O" : "O-O";
  else if (/^[a-h][1-8]([a-h][1-8]|$)/.test(small)) hasty = small;
  // A small b is the b-file, never a bishop.
  else if (/^[a-h]/.test(text)) hasty = text.replace(/[18]=?[qrbn]$/, promotion => promotion.toUpperCase());
  return [...new Set([typedMove(text), text, typedMove(hasty), hasty])];
}

/** Whether a text has only letters of pieces, English ones or those of the language. */
export const isRank = (text: string): boolean => new RegExp(`^[${ENGLISH_LETTERS}${translation?.letters ?? ""}]{6,}$`, "i").test(text);

/** The motifs by the names that the sentences and the sets of puzzles have for them. */
export const MOTIFS: Record<string, TextKey> = { mate: "motifMate", promotion: "motifPromotion", fork: "motifFork", skewer: "motifSkewer",
  "discovered attack": "motifDiscovered", pin: "motifPin", castling: "motifCastling", defence: "motifDefence", material: "motifMaterial" };
const PIECES = [..."KQRBNP"].map(letter => `piece${letter}` as TextKey);

/** Translates a piece's English name. */
export const pieceName = (name: string): string => t(PIECES.find(key => english[key] === name)!);

/** What stands in the gaps that aren't one word. */
const GAPS: Record<string, string> = { squares: "[^;]+", men: "[^;]+", moves: "[^;]+", motif: "[a-z ]+", material: "[^:.]+", n: "\\d+", steps: ".+", advice: ".+",
  reason: ".+" };

/** Makes an expression that finds a text with its gaps. */
const pattern = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&")
  .replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${GAPS[name] ?? "\\S+"})`);
const known = translation ? sentences.map(text => ({ text, expression: new RegExp(`^${pattern(text)}$`) })) : [];
const knownWords = new RegExp(words.map(text => `\\b${pattern(text)}\\b`).join("|"), "g");

/** Translates what stands in a sentence's gap. */
function translatedValue(name: string, value: string): string {
  if (name === "piece") return pieceName(value);
  if (name === "side") return t(value === "White" ? "white" : "black");
  if (name === "motif") return t(MOTIFS[value]!);
  if (/^(steps|squares|advice|reason)$/.test(name) && known.some(({ expression }) => expression.test(value))) return translated(value);
  if (name === "steps") return translated(value);
  if (name === "material" || name === "squares") return value.replace(knownWords, word => {
    const number = /^\d+/.exec(word)?.[0];
    return fill(translation!.words[(number ? word.replace(number, "{n}") : word) as typeof words[number]], { n: number ?? "" });
  });
  return moveText(value);
}

/** Translates what the engine said in English. What the page doesn't know stays as it is. */
export function translated(text: string): string {
  if (!translation) return text;
  if (text.includes("\n")) return text.split("\n").map(translated).join("\n");
  const [, mark = "", line = ""] = /^(\s*(?:- )?)(.*)$/.exec(text)!;
  for (const { text: sentence, expression } of known) {
    const found = expression.exec(line);
    if (!found) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, translatedValue(name, value)]);
    return mark + fill(translation.sentences[sentence], Object.fromEntries(values) as Values);
  }
  return line.includes("; ") ? mark + line.split("; ").map(translated).join("; ") : text;
}

/** Returns a move in words for screen readers. */
export function spoken(san: string): string {
  const ending = san.endsWith("#") ? `, ${t("spokenMate")}` : san.endsWith("+") ? `, ${t("spokenCheck")}` : "";
  const bare = san.replace(/[+#]$/, "");
  if (bare.startsWith("O-O")) return (bare === "O-O" ? t("spokenShort") : t("spokenLong")) + ending;
  return bare.replace(/^[KQRBN]/, letter => `${t(`piece${letter}` as TextKey)} `)
    .replace("x", ` ${t("spokenTakes")} `)
    .replace(/=(.)/, (_, letter: string) => ` ${t("spokenPromotes")} ${t(`piece${letter}` as TextKey)}`) + ending;
}
