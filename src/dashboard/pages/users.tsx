import { useSignal } from "@preact/signals";
import { type Asked, useAsked } from "../asked.ts";
import { now } from "../clock.ts";
import { ActionButton } from "../parts/action.tsx";
import { AskFirst } from "../parts/ask-first.tsx";
import { AskedPage } from "../parts/asked-page.tsx";
import { AskingForm } from "../parts/asking-form.tsx";
import { Chip } from "../parts/chip.tsx";
import { Facts } from "../parts/facts.tsx";
import { say } from "../state/notice.ts";
import { dayText } from "../words.ts";

/** What each may do, in words. */
const RIGHTS = {
  owner: "Owner: everything, users too",
  member: "Member: looks and books, boxes too",
  viewer: "Viewer: looks",
} as const;
type Rights = keyof typeof RIGHTS;
const CHOICES = Object.entries(RIGHTS) as readonly (readonly [Rights, string])[];

/** As `/v1/users` tells. */
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

/** Who the users of the household are: for its owners. */
export function UsersPage() {
  const asked = useAsked<Users>("/v1/users");
  const { mutate } = asked;
  return (
    <AskedPage title="Users" asked={asked}>
      {({ users }) => (
        <>
          <p class="faint">
            Everybody signs in with a name and a password of their own, and so does each box or recorder: give
            it a user that is a member.
          </p>
          <div class="cards">
            {users.map((user) => (
              <UserCard key={user.name} user={user} deed={mutate} />
            ))}
            <NewUser deed={mutate} />
          </div>
        </>
      )}
    </AskedPage>
  );
}

type Deed = Asked<Users>["mutate"];

function NewUser({ deed }: { readonly deed: Deed }) {
  return (
    <section class="card" aria-labelledby="new-user">
      <h2 id="new-user">Add a user</h2>
      <AskingForm
        verb="Add"
        send={async (fields, form) => {
          const [name, password, rights] = ["name", "password", "rights"].map((key) =>
            String(fields.get(key)),
          );
          await deed("POST", "/v1/users", { name, password, rights });
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
      </AskingForm>
    </section>
  );
}

function UserCard({ user, deed }: { readonly user: User; readonly deed: Deed }) {
  const { name, rights, createdAt, isSelf, sessions, timers, rules } = user;
  const wanted = useSignal(rights);
  const isAsking = useSignal(false);
  const path = `/v1/users/${encodeURIComponent(name)}`;
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
          <select
            value={wanted.value}
            onChange={({ currentTarget }) => {
              wanted.value = currentTarget.value as Rights;
            }}
          >
            {CHOICES.map(([choice, words]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <ActionButton
          act={() => deed("PUT", path, { rights: wanted.value })}
          done={`${name} has these rights, and must sign in anew.`}
        >
          Give
        </ActionButton>
        {isAsking.value ? null : (
          <button type="button" class="danger" onClick={() => (isAsking.value = true)}>
            Remove…
          </button>
        )}
      </div>
      {isAsking.value ? (
        <AskFirst
          question={`Remove ${name}? It is signed out at once, its boxes too. What it has booked stays.`}
          act={() => deed("DELETE", path)}
          done="Removed."
          verb="Remove"
          onKeep={() => (isAsking.value = false)}
        />
      ) : null}
      <details>
        <summary>Another password…</summary>
        <AskingForm
          verb="Set the password"
          send={async (fields, form) => {
            await deed("PUT", path, { password: String(fields.get("password")) });
            form.reset();
            say(`${name} has another password, and must sign in anew.`);
          }}
        >
          <label>
            New password of {name}
            <input name="password" type="password" autocomplete="new-password" minLength={8} required />
          </label>
        </AskingForm>
      </details>
    </section>
  );
}
