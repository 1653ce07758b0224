import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { say } from "../state/language.ts";
import { reloadWhenAnswered } from "../state/reload.ts";

/** A component whose program is loaded when it is first shown. */
export type Later<P> = ComponentType<P> & {
  /** Loads the program ahead. */
  readonly prepare: () => void;
};

/** @param waiting whether the place of the component says that it is loading */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { waiting = true }: { readonly waiting?: boolean } = {},
): Later<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  const isMissing = signal(false);
  async function begin(): Promise<void> {
    if (loaded.peek() === undefined) loaded.value = await load();
  }
  function show(): void {
    begin().catch(() => {
      isMissing.value = true;
      reloadWhenAnswered();
    });
  }
  function Part(props: P) {
    useEffect(show, []);
    const { value: Loaded } = loaded;
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (isMissing.value) {
      return (
        <div role="alert" class="silence">
          {say("frame-part-missing")}
        </div>
      );
    }
    return waiting ? <p class="faint">{say("frame-loading")}</p> : null;
  }
  return Object.assign(Part, { prepare: () => void begin().catch(() => {}) });
}
