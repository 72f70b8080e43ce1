// Helpers that make elements.

import { t } from "./texts";

type Child = Node | string | undefined | false;
type Properties = Record<string, unknown>;

/** Returns the element of index.html that has this id. */
export const byId = (id: string): HTMLElement => document.getElementById(id)!;

/**
 * Makes an element. Functions become listeners, `class`, `aria-…`, `data-…` and `role` become attributes, everything
 * else becomes a property.
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Properties = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (typeof value === "function") made.addEventListener(name, value as EventListener);
    else if (/^(class|role|for|list|aria-|data-)/.test(name)) made.setAttribute(name, String(value));
    else (made as unknown as Properties)[name] = value;
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false && child !== ""));
  return made;
}

/** Makes a button with a text. */
export const button = (text: string, click: (event: MouseEvent) => void, properties: Properties = {}): HTMLButtonElement =>
  make("button", { type: "button", click, ...properties }, text);

/** Makes a button that shows an icon. The label is read out and shown as a tooltip. */
export function iconButton(path: string, label: string, click: () => void, properties: Properties = {}): HTMLButtonElement {
  const made = make("button", { type: "button", class: "icon", "aria-label": label, title: label, click, ...properties });
  made.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return made;
}

/** Makes radio buttons for the values, each of which comes with its label. */
export function radios(name: string, label: string, values: [string, string][], chosen: string, choose: (value: string) => void): HTMLElement {
  return make("fieldset", {}, make("legend", {}, label), make("div", { class: "choice" }, ...values.map(([value, text]) =>
    make("label", {}, make("input", { type: "radio", name, value, checked: value === chosen, change: () => choose(value) }), make("span", {}, text)))));
}

/** Makes a field in which a move can be typed. If `enter` returns `true`, the field is emptied. */
export function moveForm(id: string, enter: (text: string) => boolean): HTMLFormElement {
  const field = make("input", { type: "text", id, placeholder: t("typeMoveHint"), "aria-label": t("typeMove"), autocomplete: "off", autocapitalize: "none", spellcheck: false });
  return make("form", { class: "row", submit: (event: Event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text !== "" && enter(text)) field.value = "";
  } }, field, make("button", { type: "submit" }, t("playMove")));
}

/** Lets screen readers speak a text. */
export function announce(text: string): void {
  byId("live").textContent = text;
}

/** Makes an SVG element. */
export function svg(tag: string, attributes: Record<string, string | number>, ...children: Node[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

let hiding = 0, scope: "place" | "game" = "place", shownFor = "";

/** Returns a key for the position on the board or, for Undo, for the game. A message goes when the key changes. */
let about = (_scope: "place" | "game"): string => "";

/** Sets the function that returns the key. */
export const setAbout = (tells: typeof about): void => { about = tells; };

const hide = (): void => byId("toast").replaceChildren();

/** Hides a message that no longer applies. */
export function expire(): void {
  if (shownFor && about(scope) !== shownFor) hide();
}

/** Shows a short message, maybe with a button. With `isOnGame`, moves and other tabs do not remove it. */
export function toast(text: string, action?: { text: string; run: () => void; isOnGame?: boolean }): void {
  byId("toast").replaceChildren(make("span", {}, text), action ? button(action.text, () => { hide(); action.run(); }) : "");
  scope = action?.isOnGame ? "game" : "place";
  shownFor = "";
  // We read the key later, because changes that come with the message must not remove it.
  setTimeout(() => { shownFor = about(scope); });
  clearTimeout(hiding);
  hiding = window.setTimeout(hide, Math.max(action ? 8000 : 4000, 70 * text.length));
}

/** Lets the user choose one of several buttons. Returns its index, or nothing after Escape. */
export function choose(title: string, choices: (string | Node)[], className = ""): Promise<number | undefined> {
  const dialog = byId("dialog") as HTMLDialogElement;
  return new Promise(resolve => {
    const pick = (index: number) => { dialog.returnValue = String(index); dialog.close(String(index)); };
    const buttons = choices.map((choice, index) =>
      make("button", { type: "button", click: () => pick(index) }, choice));
    dialog.replaceChildren(make("h2", { id: "dialog-title" }, title), make("div", { class: `choices ${className}` }, ...buttons));
    dialog.returnValue = "";
    dialog.onclose = () => resolve(dialog.returnValue === "" ? undefined : Number(dialog.returnValue));
    dialog.onclick = event => { if (event.target === dialog) dialog.close(""); };
    dialog.showModal();
  });
}
