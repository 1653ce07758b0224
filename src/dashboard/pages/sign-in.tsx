import { useSignal } from "@preact/signals";
import { LanguageChoice } from "../parts/preferences.tsx";
import { RegionChoice } from "../parts/region-choice.tsx";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { SubmitForm } from "../parts/submit-form.tsx";
import { hasLink, linkRefusal, session, signIn, signInByLink, signUp } from "../state/api.ts";
import { say, sayWith } from "../state/language.ts";

const CODE = { code: (text: string) => <code>{text}</code> };

export function SignInPage() {
  const { setup, guideServer } = session.value ?? {};
  return (
    <main class="sign-in">
      <div class="bar-of-page">
        <h1>{guideServer === undefined ? "recorderd" : say("sign-in-guide-server")}</h1>
        <LanguageChoice />
      </div>
      {linkRefusal.value === undefined ? null : <p role="alert">{linkRefusal.value}</p>}
      {setup === true ? <WithCode /> : guideServer === undefined ? <WithPassword /> : <WithAccount />}
    </main>
  );
}

/** At a guide server every user has an account or may create one. */
function WithAccount() {
  const { canSignIn = false, guideServer } = session.value ?? {};
  const isNew = useSignal(!canSignIn);
  const mayMake = guideServer?.signUp === true || (!canSignIn && hasLink());
  if (isNew.value && mayMake) return <NewAccount onBack={() => (isNew.value = false)} />;
  return (
    <>
      <SignInForm name={say("sign-in-name-or-email")} send={signIn} />
      {mayMake ? (
        <p>
          <button type="button" class="quiet" onClick={() => (isNew.value = true)}>
            {say("sign-in-create-instead")}
          </button>
        </p>
      ) : canSignIn ? null : (
        <p>{sayWith(CODE, "sign-in-no-account")}</p>
      )}
    </>
  );
}

function NewAccount({ onBack }: { readonly onBack: () => void }) {
  const { canSignIn = false, guideServer } = session.value ?? {};
  const { regions = [] } = guideServer ?? {};
  return (
    <>
      <p>{say(canSignIn ? "sign-in-another-account" : "sign-in-first-account")}</p>
      <SubmitForm
        verb={say("sign-in-create")}
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
          {say("sign-in-email")}
          <input name="user" type="email" autocomplete="username" required />
        </label>
        <label>
          {say("sign-in-new-password")}
          <input name="password" type="password" autocomplete="new-password" minLength={8} required />
        </label>
        {regions.length < 2 ? null : <RegionChoice regions={regions} />}
      </SubmitForm>
      {canSignIn ? (
        <p>
          <button type="button" class="quiet" onClick={onBack}>
            {say("sign-in-have-account")}
          </button>
        </p>
      ) : null}
    </>
  );
}

function WithPassword() {
  const isFirst = session.value?.canSignIn !== true;
  return (
    <>
      {isFirst ? <p>{say("sign-in-no-user")}</p> : null}
      <SignInForm name={say("sign-in-name")} send={signIn} />
      <details open={isFirst}>
        <summary>{say("sign-in-no-password")}</summary>
        <p>{sayWith(CODE, "sign-in-by-command")}</p>
      </details>
    </>
  );
}

/** The one-time code proves access to the recorder's machine and so permits setup. */
function WithCode() {
  return (
    <>
      <p>{sayWith(CODE, "sign-in-not-set-up")}</p>
      <SubmitForm
        verb={say("setup-continue")}
        send={(fields) => signInByLink(String(fields.get("code")).trim().toLowerCase())}
      >
        <label>
          {say("sign-in-code")}
          <input name="code" autocomplete="one-time-code" autocapitalize="none" required />
        </label>
      </SubmitForm>
    </>
  );
}
