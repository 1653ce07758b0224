/** One element of a channel or programme, its names in lower case. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly children: Element[];
  text: string;
}

/** Some programs write all names of a listing in capitals. */
export function inLowerCase(attributes: Element["attributes"]): Element["attributes"] {
  if (Object.keys(attributes).every((name) => name === name.toLowerCase())) return attributes;
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]));
}

export function textsOf({ children }: Element, name: string): readonly string[] {
  return children
    .filter((child) => child.name === name)
    .map(({ text }) => text.replace(/\s+/g, " ").trim())
    .filter((text) => text !== "");
}

/** Cuts untrusted text to a length that fits into a message. */
export function excerpt(text: string | undefined): string {
  return JSON.stringify((text ?? "").slice(0, 60));
}
