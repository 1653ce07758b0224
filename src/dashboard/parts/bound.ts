import type { Signal } from "@preact/signals";

/** The attributes of a text field or a choice that shows and changes a signal. */
export function bound<T extends string>(signal: Signal<T>) {
  return {
    value: signal.value,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      signal.value = currentTarget.value as T;
    },
  };
}
