import { useSignal } from "@preact/signals";
import { RegionChoice } from "../parts/region-choice.tsx";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { SubmitForm } from "../parts/submit-form.tsx";
import { hasLink, linkRefusal, session, signIn, signInByLink, signUp } from "../state/api.ts";

export function SignInPage() {
  const { setup, guideServer } = session.value ?? {};
  return (
    <main class="sign-in">
      <h1>{guideServer === undefined ? "recorderd" : "Guide server"}</h1>
      {linkRefusal.value === undefined ? null : <p role="alert">{linkRefusal.value}</p>}
      {setup === true ? <WithCode /> : guideServer === undefined ? <WithPassword /> : <WithAccount />}
    </main>
  );
}

/** At a guide server every user has an account or may create one. */
function WithAccount() {
  const { canSignIn = false, guideServer } = session.value ?? {};
  const isNew = useSignal(!canSignIn);
  const { signUp: takesSignUps = false, regions = [] } = guideServer ?? {};
  const mayMake = takesSignUps || (!canSignIn && hasLink());
  if (!isNew.value || !mayMake) {
    return (
      <>
        <SignInForm name="Name or e-mail address" send={signIn} />
        {mayMake ? (
          <p>
            <button type="button" class="quiet" onClick={() => (isNew.value = true)}>
              Create an account…
            </button>
          </p>
        ) : canSignIn ? null : (
          <p>
            There is no account yet. To create it, open the link in the file <code>first-account</code> of the
            server's data folder, which only its owner can read.
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <p>
        {canSignIn
          ? "An account for your household."
          : "There is no account yet: create one for your household."}{" "}
        Recorders and boxes also sign in with it.
      </p>
      <SubmitForm
        verb="Create the account"
        send={async (fields) => {
          const region = fields.get("region");
          await signUp({
            email: String(fields.get("user")).trim(),
            password: String(fields.get("password")),
            ...(region === null ? {} : { regionId: Number(region) }),
          });
        }}
      >
        <label>
          E-mail address
          <input name="user" type="email" autocomplete="username" required />
        </label>
        <label>
          Password, at least 8 characters
          <input name="password" type="password" autocomplete="new-password" minLength={8} required />
        </label>
        {regions.length < 2 ? null : <RegionChoice regions={regions} />}
      </SubmitForm>
      {canSignIn ? (
        <p>
          <button type="button" class="quiet" onClick={() => (isNew.value = false)}>
            I have an account
          </button>
        </p>
      ) : null}
    </>
  );
}

function WithPassword() {
  return (
    <>
      <p>
        {session.value?.canSignIn === true ? null : "No user has a password yet. "}
        <code>recorderd web open</code> on the recorder's machine prints a link that signs a browser in,{" "}
        <code>recorderd web password NAME</code> sets the password of a user.
      </p>
      <SignInForm name="Name" send={signIn} />
    </>
  );
}

/** The one-time code proves access to the recorder's machine and so permits setup. */
function WithCode() {
  return (
    <>
      <p>
        This recorder is not set up yet. <code>recorderd setup --web</code> has printed a link, in its
        terminal or log. The code is the part after <code>#link=</code>. It works once.
      </p>
      <SubmitForm
        verb="Continue"
        send={(fields) => signInByLink(String(fields.get("code")).trim().toLowerCase())}
      >
        <label>
          Code
          <input name="code" autocomplete="one-time-code" autocapitalize="none" required />
        </label>
      </SubmitForm>
    </>
  );
}
