import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** A form whose fields go to the recorder; what it says against them is read out. */
export function SubmitForm({
  send,
  verb,
  children,
}: {
  readonly send: (fields: FormData, form: HTMLFormElement) => Promise<unknown>;
  readonly verb: string;
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
      <button type="submit" class="primary" aria-disabled={isBusy.value}>
        {verb}
      </button>
    </form>
  );
}

/** What a field of that name holds; an empty one nothing. */
export function filled(fields: FormData, name: string): { readonly [name: string]: string } {
  const value = String(fields.get(name) ?? "").trim();
  return value === "" ? {} : { [name]: value };
}
