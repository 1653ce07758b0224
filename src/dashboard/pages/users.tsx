import { useSignal } from "@preact/signals";
import { now } from "../clock.ts";
import { ActionButton } from "../parts/action.tsx";
import { bound } from "../parts/bound.ts";
import { Chip } from "../parts/chip.tsx";
import { useConfirmation } from "../parts/confirm.tsx";
import { Facts } from "../parts/facts.tsx";
import { ResourcePage } from "../parts/resource-page.tsx";
import { SubmitForm } from "../parts/submit-form.tsx";
import { type Resource, useResource } from "../resource.ts";
import { reader, say } from "../state/language.ts";
import { showNotice } from "../state/notice.ts";
import { dayText } from "../words.ts";

/** The roles, the one with the most rights first. */
const ROLES = ["owner", "member", "viewer"] as const;
type Rights = (typeof ROLES)[number];

/** An entry of `/v1/users`. */
interface User {
  readonly name: string;
  readonly rights: Rights;
  readonly createdAt: number;
  readonly isSelf: boolean;
  readonly sessions: number;
  readonly timers: number;
  readonly rules: number;
}

interface Users {
  readonly users: readonly User[];
}

/** Users of the household, for its owners. */
export function UsersPage() {
  const asked = useResource<Users>("/v1/users");
  const { mutate } = asked;
  return (
    <ResourcePage title={say("nav-users")} resource={asked}>
      {({ users }) => (
        <>
          <p class="faint">{say("users-hint")}</p>
          <div class="cards">
            {users.map((user) => (
              <UserCard key={user.name} user={user} mutate={mutate} />
            ))}
            <NewUser mutate={mutate} />
          </div>
        </>
      )}
    </ResourcePage>
  );
}

type Mutate = Resource<Users>["mutate"];

function NewUser({ mutate }: { readonly mutate: Mutate }) {
  return (
    <section class="card" aria-labelledby="new-user">
      <h2 id="new-user">{say("users-add-title")}</h2>
      <SubmitForm
        verb={say("users-add")}
        send={async (fields, form) => {
          const [name, password, rights] = ["name", "password", "rights"].map((key) =>
            String(fields.get(key)),
          );
          await mutate("POST", "/v1/users", { name, password, rights });
          form.reset();
        }}
      >
        <label>
          {say("users-name")}
          <input name="name" maxLength={200} autocomplete="off" autocapitalize="none" required />
        </label>
        <label>
          {say("sign-in-new-password")}
          <input name="password" type="password" autocomplete="new-password" minLength={8} required />
        </label>
        <label>
          {say("users-rights")}
          <select name="rights">
            {[...ROLES].reverse().map((role) => (
              <option key={role} value={role}>
                {say(`users-may-${role}`)}
              </option>
            ))}
          </select>
        </label>
      </SubmitForm>
    </section>
  );
}

function UserCard({ user, mutate }: { readonly user: User; readonly mutate: Mutate }) {
  const { name, rights, createdAt, isSelf, sessions, timers, rules } = user;
  const wanted = useSignal(rights);
  const path = `/v1/users/${encodeURIComponent(name)}`;
  const removal = useConfirmation({
    label: say("users-remove"),
    question: say("users-remove-question", { name }),
    act: () => mutate("DELETE", path),
    done: say("users-removed"),
    verb: say("users-remove"),
  });
  return (
    <section class="card" aria-labelledby={`user-${name}`}>
      <h2 id={`user-${name}`}>{name}</h2>
      <p class="chips">
        <Chip tone={rights === "owner" ? "good" : "plain"} text={say(`users-role-${rights}`)} />
        {isSelf ? <Chip tone="plain" text={say("users-you")} /> : null}
      </p>
      <Facts
        of={[
          [say("users-since"), dayText(createdAt, now.value)],
          [say("users-sessions"), reader().number(sessions)],
          [say("users-timers"), reader().number(timers)],
          [say("users-rules"), reader().number(rules)],
        ]}
      />
      <div class="padding-fields">
        <label>
          {say("users-rights")}
          <select {...bound(wanted)}>
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {say(`users-may-${role}`)}
              </option>
            ))}
          </select>
        </label>
        <ActionButton
          act={() => mutate("PUT", path, { rights: wanted.value })}
          done={say("users-given", { name })}
        >
          {say("users-give")}
        </ActionButton>
        {removal.button}
      </div>
      {removal.dialog}
      <details>
        <summary>{say("users-change-password")}</summary>
        <SubmitForm
          verb={say("users-set-password")}
          send={async (fields, form) => {
            await mutate("PUT", path, { password: String(fields.get("password")) });
            form.reset();
            showNotice(say("users-password-set", { name }));
          }}
        >
          <label>
            {say("users-new-password", { name })}
            <input name="password" type="password" autocomplete="new-password" minLength={8} required />
          </label>
        </SubmitForm>
      </details>
    </section>
  );
}
