import type { Key, Say, ValuesOf } from "../../words/catalogue.ts";
import type { Reader } from "../../words/reader.ts";

let current: Reader | undefined;
let loaded = () => {};
/** Until then, no text can be made. */
export const languageLoaded = new Promise<void>((resolve) => {
  loaded = resolve;
});

/** The reader of this page: the language that they chose here, or the browser's; the browser's time zone. */
export function reader(): Reader {
  if (current === undefined) throw new Error("a text was asked for before its language was loaded");
  return current;
}

export function setReader(reader: Reader): void {
  current = reader;
  loaded();
}

/** The text of a key in the reader's language. */
export const say: Say = (key, ...values) => reader().say(key, ...values);

/**
 * A text with elements in it: `Sign in <link>here</link>.` Each name in angle brackets is made by the part of that name.
 *
 * @returns children for JSX
 */
export function sayWith<K extends Key, Part>(
  parts: Readonly<Record<string, (text: string) => Part>>,
  key: K,
  ...values: ValuesOf<K>
): readonly (Part | string)[] {
  return say(key, ...values)
    .split(/(<([a-z]+)>.*?<\/\2>)/)
    .flatMap((piece, index) => {
      // The second group, the bare name, follows each element.
      if (index % 3 === 2) return [];
      const [, name = "", text = ""] = /^<([a-z]+)>(.*)<\/\1>$/.exec(piece) ?? [];
      return [parts[name]?.(text) ?? piece];
    });
}
