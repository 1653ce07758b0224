import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** A form that sends its fields to the recorder; screen readers announce a refusal. */
export function SubmitForm({
  send,
  verb,
  isPrimary = true,
  children,
}: {
  readonly send: (fields: FormData, form: HTMLFormElement) => Promise<unknown>;
  readonly verb: string;
  /** Whether this is what most people do next: a page has one such button. */
  readonly isPrimary?: boolean;
  readonly children: ComponentChildren;
}) {
  const failure = useSignal("");
  const isBusy = useSignal(false);
  async function run(form: HTMLFormElement): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = "";
    try {
      await send(new FormData(form), form);
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <form
      class="asking"
      onSubmit={(event) => {
        event.preventDefault();
        void run(event.currentTarget);
      }}
    >
      {children}
      <p role="alert" class="bad-text">
        {failure.value}
      </p>
      <button type="submit" class={isPrimary ? "primary" : ""} aria-disabled={isBusy.value}>
        {verb}
      </button>
    </form>
  );
}

/** The form field of this name as an object; without the field if it is empty. */
export function filled(fields: FormData, name: string): { readonly [name: string]: string } {
  const value = String(fields.get(name) ?? "").trim();
  return value === "" ? {} : { [name]: value };
}
