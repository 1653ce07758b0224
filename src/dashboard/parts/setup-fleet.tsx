import { useSignal } from "@preact/signals";
import { say } from "../state/language.ts";
import { answer, nextStep } from "../state/setup.ts";
import { filled, SubmitForm } from "./submit-form.tsx";

/** For the few who have several recorders: by the invitation of one of them, or by their database. */
export function JoinFleet() {
  const isOpen = useSignal(false);
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{say("setup-join")}</summary>
      {isOpen.value ? (
        <>
          <ByInvitation />
          <ByDatabase />
        </>
      ) : null}
    </details>
  );
}

function ByInvitation() {
  async function join(fields: FormData): Promise<void> {
    await answer("join", { ...filled(fields, "invitation"), ...filled(fields, "node") });
    nextStep();
  }
  return (
    <SubmitForm verb={say("setup-join-verb")} send={join} isPrimary={false}>
      <p class="faint">{say("setup-join-hint")}</p>
      <label>
        {say("setup-join-invitation")}
        <textarea name="invitation" rows={4} required autocomplete="off" spellcheck={false} />
      </label>
      <NodeName />
    </SubmitForm>
  );
}

function ByDatabase() {
  const isStored = useSignal(false);
  async function store(fields: FormData): Promise<void> {
    const secrets = { ...filled(fields, "password"), ...filled(fields, "secret") };
    await answer("fleet", { ...filled(fields, "database"), ...filled(fields, "node"), ...secrets });
    isStored.value = true;
  }
  return (
    <SubmitForm verb={say("setup-continue")} send={store} isPrimary={false}>
      <p class="faint">{say("setup-join-database-hint")}</p>
      <label>
        {say("setup-join-database")}
        <input name="database" required placeholder="postgres://recorderd@db.example/recorder" />
      </label>
      <label>
        {say("setup-join-password")}
        <input name="password" type="password" autocomplete="off" />
      </label>
      <label>
        {say("setup-join-secret")}
        <input name="secret" type="password" autocomplete="off" />
      </label>
      <NodeName />
      {isStored.value ? <p role="status">{say("setup-join-stored")}</p> : null}
    </SubmitForm>
  );
}

function NodeName() {
  return (
    <label>
      {say("setup-join-node")}
      <input name="node" pattern="[A-Za-z0-9._\-]{1,63}" />
    </label>
  );
}
