import { useSignal } from "@preact/signals";
import { session, signIn } from "../state/api.ts";

/** For who must sign in at the recorder before anything is shown. */
export function SignInPage() {
  const failure = useSignal("");
  const isBusy = useSignal(false);
  async function send(form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form);
    isBusy.value = true;
    failure.value = "";
    try {
      await signIn(String(fields.get("user")), String(fields.get("password")));
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <main class="sign-in">
      <h1>recorderd</h1>
      {session.value?.canSignIn === true ? null : (
        <p>
          Nobody can sign in yet. At the recorder, give yourself a password:{" "}
          <code>recorderd web password NAME</code>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(event.currentTarget);
        }}
      >
        <label>
          Name
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
    </main>
  );
}
