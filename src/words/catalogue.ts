import { FluentBundle, FluentResource } from "@fluent/bundle";
import { isolated } from "./isolated.ts";
import type { WordValues } from "./keys.ts";

export type Key = keyof WordValues;

/** The full stop of a sentence that ends with an abbreviation: `9:05 a.m..` */
const STOP_AFTER_STOP = /(?<=\p{L}\.)\.(?=\s|$)/gu;

/** The values that a text names: none for most. */
export type ValuesOf<K extends Key> = [WordValues[K]] extends [never]
  ? readonly []
  : readonly [values: { readonly [N in WordValues[K]]: string | number }];

/** The text of a key, with its values. Numbers get the form of the locale, and choose the plural. */
export type Say = <K extends Key>(key: K, ...values: ValuesOf<K>) => string;

/**
 * The source of each message, by its key. Only the names of messages stand at the beginning of a line in small letters. A page
 * needs few messages: reading all of them would delay its first picture.
 */
export function messagesOf(catalogue: string): readonly (readonly [key: string, source: string])[] {
  const [, ...sources] = catalogue.split(/^(?=[a-z])/m);
  return sources.map((source) => [source.slice(0, source.search(/[ =]/)), source]);
}

/** @param text a catalogue in Fluent's syntax; a test finds faults in it, a reader never meets them */
export function createSay({ locale, text }: { readonly locale: string; readonly text: string }): Say {
  // Only values that run from right to left are isolated: all six languages run from left to right.
  const bundle = new FluentBundle(locale, { useIsolating: false });
  const unread = new Map(messagesOf(text));
  return (key, ...[values]) => {
    const source = unread.get(key);
    if (source !== undefined) {
      bundle.addResource(new FluentResource(source));
      unread.delete(key);
    }
    const { value } = bundle.getMessage(key) ?? {};
    if (value == null) return key;
    const written = bundle.formatPattern(value, isolatedTexts(values ?? {}), []);
    return written.replaceAll(STOP_AFTER_STOP, "");
  };
}

function isolatedTexts(values: Readonly<Record<string, string | number>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? isolated(value) : value,
    ]),
  );
}
