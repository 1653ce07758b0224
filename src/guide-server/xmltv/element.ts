import { plainText } from "./plain-text.ts";

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
  const entries = Object.entries(attributes);
  const others = entries.filter(([name]) => name !== name.toLowerCase());
  if (others.length === 0) return attributes;
  const same = entries.filter(([name]) => name === name.toLowerCase());
  return Object.fromEntries([
    ...others.map(([name, value]) => [name.toLowerCase(), value] as const),
    ...same,
  ]);
}

export function textsOf({ children }: Element, name: string): readonly string[] {
  return children
    .filter((child) => child.name === name)
    .map(({ text }) => plainText(text))
    .filter((text) => text !== "");
}

/** Cuts untrusted text to a length that fits into a message. */
export function excerpt(text: string | undefined): string {
  return JSON.stringify((text ?? "").slice(0, 60));
}
