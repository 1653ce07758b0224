import type { Signal } from "@preact/signals";

/** A field for words that a list is searched for. */
export function Search({ label, text }: { readonly label: string; readonly text: Signal<string> }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text.value}
      onInput={({ currentTarget }) => (text.value = currentTarget.value)}
    />
  );
}
