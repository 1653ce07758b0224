import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SetupKind, SetupOffer, SetupView } from "../../model/setup.ts";
import { say, sayWith } from "../state/language.ts";
import { showNotice } from "../state/notice.ts";
import { answer, nextStep } from "../state/setup.ts";
import { ActionButton } from "./action.tsx";
import { bound } from "./bound.ts";
import { UsedTuners } from "./setup-used-tuners.tsx";
import { kindName, placeLabel, trialText } from "./setup-words.ts";
import { filled, SubmitForm } from "./submit-form.tsx";

export function TunersStep({ view: { kinds, tuners, offers } }: { readonly view: SetupView }) {
  const real = kinds.filter(({ isSimulator }) => isSimulator !== true);
  const simulator = kinds.find(({ isSimulator }) => isSimulator);
  const kind = useSignal(real[0]?.kind ?? "");
  const place = useSignal("");
  const trying = useSignal<string | undefined>(undefined);
  /** How often an offer filled the form. */
  const filledIn = useSignal(0);
  const isNext = tuners.length === 0;

  async function tryTuner(id: string): Promise<void> {
    trying.value = id;
    try {
      const { tuners: all } = await answer(`tuners/${encodeURIComponent(id)}/try`, {});
      const tried = all.find((tuner) => tuner.id === id)?.tried;
      if (tried !== undefined) showNotice(trialText(tried), tried.result === "works" ? "good" : "bad");
    } catch (error) {
      showFailure(error);
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
    if (!offer.wantsList) {
      add({ kind: offer.kind, place: offer.place }).catch(showFailure);
      return;
    }
    kind.value = offer.kind;
    place.value = offer.place;
    filledIn.value += 1;
  }

  return (
    <>
      <UsedTuners tuners={tuners} kinds={kinds} trying={trying.value} onTry={(id) => void tryTuner(id)} />
      <ActionButton act={() => answer("look", {})} done={say("setup-looked")}>
        {say("setup-look")}
      </ActionButton>
      {offers === undefined ? null : <Offers offers={offers} onTake={take} />}
      <AddTuner kinds={real} form={{ kind, place, filledIn: filledIn.value }} isNext={isNext} add={add} />
      {simulator === undefined ? null : <Simulator kind={simulator} add={add} />}
      {isNext ? null : (
        <p>
          <button type="button" class="primary" onClick={nextStep}>
            {say("setup-continue")}
          </button>
        </p>
      )}
    </>
  );
}

function showFailure(error: unknown): void {
  showNotice(error instanceof Error ? error.message : String(error), "bad");
}

/** The tuners that the search has found. */
function Offers({
  offers,
  onTake,
}: {
  readonly offers: readonly SetupOffer[];
  readonly onTake: (offer: SetupOffer) => void;
}) {
  if (offers.length === 0) return <p>{say("setup-found-none")}</p>;
  return (
    <ul aria-label={say("setup-found")}>
      {offers.map((offer) => (
        <li key={offer.text}>
          <button type="button" onClick={() => onTake(offer)}>
            {say("setup-use", { tuner: offer.text })}
          </button>
        </li>
      ))}
    </ul>
  );
}

function AddTuner({
  kinds,
  form: { kind, place, filledIn },
  isNext,
  add,
}: {
  readonly kinds: readonly SetupKind[];
  readonly form: {
    readonly kind: Signal<string>;
    readonly place: Signal<string>;
    readonly filledIn: number;
  };
  readonly isNext: boolean;
  readonly add: (words: object) => Promise<void>;
}) {
  const asked = kinds.find((one) => one.kind === kind.value);
  const channelList = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // An offer has no channel list.
    if (filledIn > 0) channelList.current?.focus();
  }, [filledIn]);
  return (
    <section aria-labelledby="add-tuner">
      <h3 id="add-tuner">{say("setup-add-by-hand")}</h3>
      <SubmitForm
        verb={say("setup-add")}
        isPrimary={isNext}
        send={async (fields, element) => {
          await add({ kind: kind.value, place: place.value.trim(), ...filled(fields, "channelList") });
          place.value = "";
          element.reset();
        }}
      >
        <label>
          {say("setup-kind")}
          <select {...bound(kind)}>
            {kinds.map((one) => (
              <option key={one.kind} value={one.kind}>
                {kindName(one.kind, kinds)}
              </option>
            ))}
          </select>
        </label>
        {asked === undefined ? null : (
          <label>
            {placeLabel(asked)}
            <input required placeholder={asked.example} {...bound(place)} />
          </label>
        )}
        {asked === undefined || asked.channelList === "none" ? null : (
          <label>
            {say(asked.channelList === "required" ? "setup-channel-list" : "setup-channel-list-optional")}
            <input
              ref={channelList}
              name="channelList"
              required={asked.channelList === "required"}
              placeholder="/etc/recorderd/channels.conf"
            />
          </label>
        )}
      </SubmitForm>
    </section>
  );
}

/** Apart from the tuners: nobody should take it for one. */
function Simulator({
  kind,
  add,
}: {
  readonly kind: SetupKind;
  readonly add: (words: object) => Promise<void>;
}) {
  const isOpen = useSignal(false);
  const place = useSignal(kind.example);
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{say("setup-simulator")}</summary>
      {isOpen.value ? (
        <>
          <p class="faint">{sayWith({ code: (text) => <code>{text}</code> }, "setup-simulator-hint")}</p>
          <SubmitForm
            verb={say("setup-simulator-add")}
            isPrimary={false}
            send={() => add({ kind: kind.kind, place: place.value.trim() })}
          >
            <label>
              {placeLabel(kind)}
              <input required placeholder={kind.example} {...bound(place)} />
            </label>
          </SubmitForm>
        </>
      ) : null}
    </details>
  );
}
