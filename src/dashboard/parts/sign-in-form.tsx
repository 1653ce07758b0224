import { useSignal } from "@preact/signals";

/** Asks for a name and a password; both are forgotten when they were right, and what was wrong is said. */
export function SignInForm({
  name,
  send,
}: {
  /** What one is called there. */
  readonly name: "Name" | "E-mail address";
  readonly send: (user: string, password: string) => Promise<unknown>;
}) {
  const failure = useSignal("");
  const isBusy = useSignal(false);
  async function submit(form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form);
    isBusy.value = true;
    failure.value = "";
    try {
      await send(String(fields.get("user")), String(fields.get("password")));
      form.reset();
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <form
      class="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <label>
        {name}
        <input name="user" autocomplete="username" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <p role="alert" class="bad-text">
        {failure.value}
      </p>
      <button type="submit" class="primary" disabled={isBusy.value}>
        Sign in
      </button>
    </form>
  );
}
