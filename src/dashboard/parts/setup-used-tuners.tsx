import type { SetupKind, SetupTuner, SetupView } from "../../model/setup.ts";
import { say } from "../state/language.ts";
import { showNotice } from "../state/notice.ts";
import { answer, removeTuner } from "../state/setup.ts";
import { ActionButton } from "./action.tsx";
import { kindName, trialText } from "./setup-words.ts";
import { SubmitForm } from "./submit-form.tsx";
import { Technical } from "./technical.tsx";

/** The tuners that will be in the configuration, each with the result of its test. */
export function UsedTuners({
  tuners,
  kinds,
  trying,
  onTry,
}: Pick<SetupView, "tuners" | "kinds"> & {
  /** The id of the tuner that is tested now. */
  readonly trying: string | undefined;
  readonly onTry: (id: string) => void;
}) {
  if (tuners.length === 0) return null;
  return (
    <ul class="setup-tuners" aria-label={say("setup-tuners-used")}>
      {tuners.map((tuner) => (
        <UsedTuner key={tuner.id} tuner={tuner} kinds={kinds} trying={trying} onTry={onTry} />
      ))}
    </ul>
  );
}

function UsedTuner({
  tuner: { id, kind, place, tried },
  kinds,
  trying,
  onTry,
}: {
  readonly tuner: SetupTuner;
  readonly kinds: readonly SetupKind[];
  readonly trying: string | undefined;
  readonly onTry: (id: string) => void;
}) {
  const isBad = tried !== undefined && tried.result !== "works";
  return (
    <li>
      <strong>{say("setup-tuner", { kind: kindName(kind, kinds), place })}</strong>
      <p class={isBad ? "bad-text" : "faint"}>
        {trying === id
          ? say("setup-tuner-trying")
          : tried === undefined
            ? say("setup-tuner-untried")
            : trialText(tried)}
      </p>
      {tried !== undefined && "text" in tried ? <Technical texts={[tried.text]} /> : null}
      {tried?.result === "sign-in-needed" ? <TunerSignIn id={id} place={place} /> : null}
      <div class="buttons">
        <button type="button" disabled={trying !== undefined} onClick={() => onTry(id)}>
          {say("setup-tuner-try", { id })}
        </button>
        <ActionButton act={() => removeTuner(id)} done={say("setup-tuner-removed")}>
          {say("setup-tuner-remove", { id })}
        </ActionButton>
      </div>
    </li>
  );
}

function TunerSignIn({ id, place }: Pick<SetupTuner, "id" | "place">) {
  return (
    <SubmitForm
      verb={say("setup-tuner-sign-in-verb", { id })}
      isPrimary={false}
      send={async (fields) => {
        const { tuners } = await answer(`tuners/${encodeURIComponent(id)}/sign-in`, {
          user: String(fields.get("user") ?? ""),
          password: String(fields.get("password") ?? ""),
        });
        const tried = tuners.find((tuner) => tuner.id === id)?.tried;
        if (tried !== undefined) showNotice(trialText(tried), tried.result === "works" ? "good" : "bad");
      }}
    >
      <label>
        {say("setup-tuner-user", { place })}
        <input required name="user" autocomplete="off" />
      </label>
      <label>
        {say("setup-tuner-password", { place })}
        <input name="password" type="password" autocomplete="off" />
      </label>
    </SubmitForm>
  );
}
