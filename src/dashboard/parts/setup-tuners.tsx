import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { SetupOffer, SetupView } from "../../model/setup.ts";
import { showNotice } from "../state/notice.ts";
import { answer, nextStep, removeTuner } from "../state/setup.ts";
import { ActionButton } from "./action.tsx";
import { bound } from "./bound.ts";
import { filled, SubmitForm } from "./submit-form.tsx";

export function TunersStep({ view: { kinds, tuners, offers } }: { readonly view: SetupView }) {
  const kind = useSignal(kinds[0]?.kind ?? "");
  const asked = kinds.find((one) => one.kind === kind.value);
  const nameOf = (of: string) => kinds.find((one) => one.kind === of)?.name ?? of;
  const wanting = kinds.filter((one) => one.channelList === "required").map(({ name }) => name);
  const place = useSignal("");
  const channelList = useRef<HTMLInputElement>(null);
  const trying = useSignal<string | undefined>(undefined);

  async function tryTuner(id: string): Promise<void> {
    trying.value = id;
    try {
      const { tuners: all } = await answer(`tuners/${encodeURIComponent(id)}/try`, {});
      const tried = all.find((tuner) => tuner.id === id)?.tried;
      if (tried !== undefined) showNotice(tried.text, tried.isGood ? "good" : "bad");
    } catch (error) {
      showNotice(error instanceof Error ? error.message : String(error), "bad");
    } finally {
      trying.value = undefined;
    }
  }

  /** Added without a test: an unavailable tuner may be available later. */
  async function add(words: object): Promise<void> {
    const { tuners: all } = await answer("tuners", words);
    const added = all.at(-1);
    if (added !== undefined) await tryTuner(added.id);
  }

  function take(offer: SetupOffer): void {
    if (offer.wantsList) {
      kind.value = offer.kind;
      place.value = offer.place;
      channelList.current?.focus();
      return;
    }
    const words = { kind: offer.kind, place: offer.place };
    add(words).catch((error: unknown) =>
      showNotice(error instanceof Error ? error.message : String(error), "bad"),
    );
  }

  return (
    <>
      {tuners.length === 0 ? null : (
        <ul class="setup-tuners" aria-label="Tuners that will be used">
          {tuners.map(({ id, kind: its, place, tried }) => (
            <li key={id}>
              <strong>
                {nameOf(its)}, {place}
              </strong>
              <p class={tried?.isGood === false ? "bad-text" : "faint"}>
                {trying.value === id ? "Testing its reception…" : (tried?.text ?? "Not tried yet.")}
              </p>
              {tried?.wantsSignIn === true ? (
                <SubmitForm
                  verb={`Sign in at ${id}`}
                  send={async (fields) => {
                    const { tuners: all } = await answer(`tuners/${encodeURIComponent(id)}/sign-in`, {
                      user: String(fields.get("user") ?? ""),
                      password: String(fields.get("password") ?? ""),
                    });
                    const now = all.find((tuner) => tuner.id === id)?.tried;
                    if (now !== undefined) showNotice(now.text, now.isGood ? "good" : "bad");
                  }}
                >
                  <label>
                    User of {place}
                    <input required name="user" autocomplete="off" />
                  </label>
                  <label>
                    Password at {place}
                    <input name="password" type="password" autocomplete="off" />
                  </label>
                </SubmitForm>
              ) : null}
              <div class="buttons">
                <button type="button" disabled={trying.value !== undefined} onClick={() => void tryTuner(id)}>
                  Try {id} again
                </button>
                <ActionButton act={() => removeTuner(id)} done="Left out.">
                  Leave {id} out
                </ActionButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      <ActionButton act={() => answer("look", {})} done="Search for cards and servers finished.">
        Look for tuners here
      </ActionButton>
      {offers === undefined ? null : offers.length === 0 ? (
        <p>No card is in the machine, and no server answers on its networks.</p>
      ) : (
        <ul aria-label="Tuners that were found">
          {offers.map((offer) => (
            <li key={offer.text}>
              <button type="button" onClick={() => take(offer)}>
                Use {offer.text}
              </button>
            </li>
          ))}
        </ul>
      )}
      <SubmitForm
        verb="Add and try it"
        send={async (fields, form) => {
          await add({ kind: kind.value, place: place.value.trim(), ...filled(fields, "channelList") });
          place.value = "";
          form.reset();
        }}
      >
        <label>
          Kind of tuner
          <select {...bound(kind)}>
            {kinds.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {asked?.label}
          <input required placeholder={asked?.example ?? ""} {...bound(place)} />
        </label>
        <label>
          Channel list, a file on the recorder's machine (needed: {wanting.join(", ")})
          <input ref={channelList} name="channelList" placeholder="/etc/recorderd/channels.conf" />
        </label>
      </SubmitForm>
      {tuners.length === 0 ? null : (
        <p>
          <button type="button" class="primary" onClick={nextStep}>
            Continue
          </button>
        </p>
      )}
    </>
  );
}
