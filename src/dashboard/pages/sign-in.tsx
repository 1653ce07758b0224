import { SignInForm } from "../parts/sign-in-form.tsx";
import { session, signIn } from "../state/api.ts";

/** For who must sign in at the recorder before anything is shown. */
export function SignInPage() {
  return (
    <main class="sign-in">
      <h1>recorderd</h1>
      {session.value?.canSignIn === true ? null : (
        <p>
          Nobody can sign in yet. At the recorder, give yourself a password:{" "}
          <code>recorderd web password NAME</code>
        </p>
      )}
      <SignInForm name="Name" send={signIn} />
    </main>
  );
}
