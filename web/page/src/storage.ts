// Stores values in the browser. If the user has forbidden that, nothing is stored.

const PREFIX = "enroque.";

/** Returns a stored value. */
export function load<T>(name: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value, or removes it. */
export function save(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Without storage the page still works.
  }
}
