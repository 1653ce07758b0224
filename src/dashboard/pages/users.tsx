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
import { showNotice } from "../state/notice.ts";
import { dayText } from "../words.ts";

/** The rights of each role, in words. */
const RIGHTS = {
  owner: "Owner: everything, users too",
  member: "Member: looks and books, boxes too",
  viewer: "Viewer: looks",
} as const;
type Rights = keyof typeof RIGHTS;
const CHOICES = Object.entries(RIGHTS) as readonly (readonly [Rights, string])[];

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
    <ResourcePage title="Users" resource={asked}>
      {({ users }) => (
        <>
          <p class="faint">
            Every person has a name and a password. Boxes and recorders also sign in as users: create a member
            for each.
          </p>
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
      <h2 id="new-user">Add a user</h2>
      <SubmitForm
        verb="Add"
        send={async (fields, form) => {
          const [name, password, rights] = ["name", "password", "rights"].map((key) =>
            String(fields.get(key)),
          );
          await mutate("POST", "/v1/users", { name, password, rights });
          form.reset();
        }}
      >
        <label>
          Name
          <input name="name" maxLength={200} autocomplete="off" autocapitalize="none" required />
        </label>
        <label>
          Password, at least 8 characters
          <input name="password" type="password" autocomplete="new-password" minLength={8} required />
        </label>
        <label>
          May
          <select name="rights">
            {[...CHOICES].reverse().map(([rights, words]) => (
              <option key={rights} value={rights}>
                {words}
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
    label: "Remove",
    question: `Remove ${name}? The user and all its boxes are signed out at once. The timers and rules stay.`,
    act: () => mutate("DELETE", path),
    done: "Removed.",
    verb: "Remove",
  });
  return (
    <section class="card" aria-labelledby={`user-${name}`}>
      <h2 id={`user-${name}`}>{name}</h2>
      <p class="chips">
        <Chip tone={rights === "owner" ? "good" : "plain"} text={rights} />
        {isSelf ? <Chip tone="plain" text="you" /> : null}
      </p>
      <Facts
        of={[
          ["Since", dayText(createdAt, now.value)],
          ["Boxes and recorders signed in", String(sessions)],
          ["Timers booked", String(timers)],
          ["Series and keywords", String(rules)],
        ]}
      />
      <div class="padding-fields">
        <label>
          May
          <select {...bound(wanted)}>
            {CHOICES.map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <ActionButton
          act={() => mutate("PUT", path, { rights: wanted.value })}
          done={`${name} has these rights now, and must sign in again.`}
        >
          Give
        </ActionButton>
        {removal.button}
      </div>
      {removal.dialog}
      <details>
        <summary>Change password…</summary>
        <SubmitForm
          verb="Set the password"
          send={async (fields, form) => {
            await mutate("PUT", path, { password: String(fields.get("password")) });
            form.reset();
            showNotice(`${name} has a new password, and must sign in again.`);
          }}
        >
          <label>
            New password of {name}
            <input name="password" type="password" autocomplete="new-password" minLength={8} required />
          </label>
        </SubmitForm>
      </details>
    </section>
  );
}
