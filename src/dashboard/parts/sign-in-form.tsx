import { say } from "../state/language.ts";
import { SubmitForm } from "./submit-form.tsx";

/** Asks for a name and a password; clears both after success and shows the error otherwise. */
export function SignInForm({
  name,
  send,
}: {
  /** The label of the name. */
  readonly name: string;
  readonly send: (user: string, password: string) => Promise<unknown>;
}) {
  return (
    <SubmitForm
      verb={say("sign-in-verb")}
      send={async (fields, form) => {
        await send(String(fields.get("user")), String(fields.get("password")));
        form.reset();
      }}
    >
      <label>
        {name}
        <input name="user" autocomplete="username" required />
      </label>
      <label>
        {say("sign-in-password")}
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
    </SubmitForm>
  );
}
