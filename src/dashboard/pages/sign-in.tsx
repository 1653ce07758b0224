import { AskingForm } from "../parts/asking-form.tsx";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { session, signIn } from "../state/api.ts";

/** For who must sign in at the recorder before anything is shown. */
export function SignInPage() {
  return (
    <main class="sign-in">
      <h1>recorderd</h1>
      {session.value?.setup === true ? <WithCode /> : <WithPassword />}
    </main>
  );
}

function WithPassword() {
  return (
    <>
      {session.value?.canSignIn === true ? null : (
        <p>
          Nobody can sign in yet. At the recorder, give yourself a password:{" "}
          <code>recorderd web password NAME</code>
        </p>
      )}
      <SignInForm name="Name" send={signIn} />
    </>
  );
}

/** Who can read what the recorder says on its machine may set it up. */
function WithCode() {
  return (
    <>
      <p>
        This recorder is not set up yet. <code>recorderd setup --web</code> has told a code, at its terminal
        or in its log.
      </p>
      <AskingForm
        verb="Continue"
        send={(fields) => signIn("setup", String(fields.get("code")).trim().toLowerCase())}
      >
        <label>
          Code
          <input name="code" autocomplete="one-time-code" autocapitalize="none" required />
        </label>
      </AskingForm>
    </>
  );
}
