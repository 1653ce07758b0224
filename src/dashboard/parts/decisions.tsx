import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Recording, titleOf } from "../../model/recording.ts";
import { now } from "../clock.ts";
import { type Choice, type Decision, decisionsOf } from "../decisions.ts";
import { troubleSentence } from "../result-text.ts";
import { ask } from "../state/api.ts";
import { reader, say, sayWith } from "../state/language.ts";
import { view } from "../state/live.ts";
import { isPhone } from "../state/phone.ts";
import { detailLink } from "../state/place.ts";
import { clockText, durationText, repeatStepText } from "../words.ts";
import { ActionButton } from "./action.tsx";
import { focusPage, isFocusFree } from "./focus.ts";

/** More cards are shown when somebody asks for them: what is recorded comes below. */
const SHOWN_AT_FIRST = 3;
const SHOWN_ON_PHONE = 2;

/** The results of choices by decision, until the page is left. */
type Outcomes = ReadonlyMap<string, string>;

/** One card for each decision: what would be lost, and buttons that state their cost. */
export function Decisions() {
  const outcomes = useSignal<Outcomes>(new Map());
  const showsAll = useSignal(false);
  const snapshot = view.value;
  if (snapshot === undefined) return null;
  const decisions = decisionsOf(snapshot);
  const isOpen = [...snapshot.groups.values()].some(({ provisional }) => provisional === true);
  const past = [...outcomes.value].filter(([id]) => !decisions.some((one) => one.id === id));
  if (decisions.length === 0 && past.length === 0) return null;
  const shown = showsAll.value
    ? decisions
    : decisions.slice(0, isPhone.value ? SHOWN_ON_PHONE : SHOWN_AT_FIRST);
  function showAll(): void {
    focusPage();
    showsAll.value = true;
  }
  return (
    <section aria-labelledby="decisions-title" class="decisions">
      <h2 id="decisions-title">{say("decision-title")}</h2>
      {isOpen ? <p class="faint">{say("decision-searching")}</p> : null}
      {past.map(([id, text]) => (
        <Outcome key={id} text={text} />
      ))}
      {shown.map((decision) => (
        <Card
          key={decision.id}
          decision={decision}
          outcome={outcomes.value.get(decision.id)}
          onOutcome={(text) => (outcomes.value = new Map(outcomes.value).set(decision.id, text))}
        />
      ))}
      {shown.length === decisions.length ? null : (
        <p class="buttons">
          <button type="button" onClick={showAll}>
            {say("decision-show-all", { count: decisions.length })}
          </button>
        </p>
      )}
    </section>
  );
}

/** Takes the focus that went with the card. */
function Outcome({ text }: { readonly text: string }) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isFocusFree()) element.current?.focus();
  }, []);
  return (
    <p ref={element} class="card decided" tabIndex={-1}>
      <span aria-hidden="true">✓</span> {text}
    </p>
  );
}

function Card({
  decision,
  outcome,
  onOutcome,
}: {
  readonly decision: Decision;
  readonly outcome: string | undefined;
  readonly onOutcome: (text: string) => void;
}) {
  const { recordings, isSettled, kind } = decision;
  return (
    <article class={isSettled ? "card decision settled" : "card decision"}>
      <h3>{headline(decision)}</h3>
      <ul class="faint lost">
        {recordings.map(({ id, channelName, event }) => (
          <li key={id}>
            {say("decision-on", { channel: channelName, when: reader().inside.when(event, now.value) })}
          </li>
        ))}
      </ul>
      {outcome === undefined ? null : <p class="decided">{outcome}</p>}
      {recordings.map(({ id, healing }) =>
        healing === undefined ? null : <p key={id}>{repeatStepText(healing)}</p>,
      )}
      {kind === "other" ? recordings.map((one) => <p key={one.id}>{troubleSentence(one)}</p>) : null}
      <WayOut decision={decision} onOutcome={onOutcome} />
      <Why decision={decision} />
    </article>
  );
}

/** The decision about one recording, among its details. */
export function DecisionInside({ recordingId }: { readonly recordingId: string }) {
  const outcome = useSignal<string | undefined>(undefined);
  const snapshot = view.value;
  const decision =
    snapshot &&
    decisionsOf(snapshot).find(({ recordings }) => recordings.some(({ id }) => id === recordingId));
  if (decision === undefined) return outcome.value === undefined ? null : <Outcome text={outcome.value} />;
  return (
    <>
      {outcome.value === undefined ? null : <p class="decided">{outcome.value}</p>}
      <WayOut decision={decision} onOutcome={(text) => (outcome.value = text)} />
      <Why decision={decision} />
    </>
  );
}

/** The choices, or what would help where there are none. */
function WayOut({
  decision,
  onOutcome,
}: {
  readonly decision: Decision;
  readonly onOutcome: (text: string) => void;
}) {
  const { choices, hint, isSettled } = decision;
  if (choices.length === 0) {
    if (hint === undefined) return null;
    return (
      <p>{hint.kind === "none" ? say("decision-none") : say("decision-add-tuner", { tuner: hint.like })}</p>
    );
  }
  const buttons = <Choices decision={decision} onOutcome={onOutcome} />;
  if (!isSettled) return buttons;
  return (
    <details>
      <summary>{say("decision-change")}</summary>
      {buttons}
    </details>
  );
}

/** The loss in one sentence, with links to the recordings. */
function headline({ kind, recordings, span, isSettled }: Decision): ComponentChildren {
  // Each link has a name of its own in the text: titles may be the same.
  const tags = recordings.map((_, at) => "abcdefghijklmnopqrstuvwxyz".slice(0, at + 1));
  const names = reader().list(recordings.map((one, at) => `<${tags[at]}>${titleOf(one)}</${tags[at]}>`));
  const links = Object.fromEntries(
    recordings.map(({ id }, at) => [tags[at], (text: string) => <a href={detailLink(id)}>{text}</a>]),
  );
  if (isSettled && kind === "lost") return sayWith(links, "decision-settled", { names });
  switch (kind) {
    case "lost":
      return sayWith(links, "decision-lost", {
        names,
        count: recordings.length,
        start: clockText(span.start),
        stop: clockText(span.stop),
      });
    case "partly": {
      const from = beginOf(recordings[0]) ?? span.start;
      return sayWith(links, "decision-partly", {
        names,
        lost: durationText(from - span.start),
        from: clockText(from),
      });
    }
    case "uncertain":
      return sayWith(links, "decision-uncertain", { names });
    case "other":
      return sayWith(links, "decision-other", { names });
  }
}

function beginOf(recording: Recording | undefined): number | undefined {
  const placement = view.value?.placements.get(recording?.id ?? "");
  return placement?.kind === "placed" ? placement.begin : undefined;
}

function Choices({
  decision: { choices, recordings },
  onOutcome,
}: {
  readonly decision: Decision;
  readonly onOutcome: (text: string) => void;
}) {
  return (
    <div class="choices" role="group" aria-label={say("decision-choices")}>
      {choices.map((choice) => {
        const { label, cost, done } = choiceText(choice, recordings.length > 1);
        return (
          <ActionButton
            key={label + cost}
            act={async () => {
              await carryOut(choice);
              onOutcome(done);
            }}
            done={done}
          >
            <strong>{label}</strong> <span>{cost}</span>
          </ActionButton>
        );
      })}
    </div>
  );
}

function carryOut(choice: Choice): Promise<unknown> {
  const pathOf = ({ timerId }: Recording) => `/v1/timers/${encodeURIComponent(timerId)}`;
  switch (choice.kind) {
    case "repeat":
      return ask("POST", `${pathOf(choice.recording)}/repeat`);
    case "priority":
      return ask("POST", `${pathOf(choice.recording)}/override`, { priority: choice.to });
    case "cancel":
      return ask("DELETE", pathOf(choice.other));
  }
}

interface ChoiceText {
  readonly label: string;
  readonly cost: string;
  readonly done: string;
}

function choiceText(choice: Choice, isOneOfSeveral: boolean): ChoiceText {
  switch (choice.kind) {
    case "repeat": {
      const { repeat, recording } = choice;
      const at = reader().inside.at(repeat.event.start, now.value);
      const name = titleOf(recording);
      return {
        label: isOneOfSeveral ? say("decision-repeat-of", { name, at }) : say("decision-repeat", { at }),
        cost: say("decision-repeat-cost", { channel: repeat.channelName }),
        done: say("decision-done-repeat", { name }),
      };
    }
    case "priority": {
      const name = titleOf(choice.recording);
      return {
        label: say("decision-record", { names: name }),
        cost: costText(choice),
        done: say("decision-done-priority", { name }),
      };
    }
    case "cancel": {
      const name = nameWithTime(choice.other);
      return {
        label: say("decision-record", { names: reader().list(choice.recordings.map(titleOf)) }),
        cost: say("decision-cost-cancel", { name }),
        done: say("decision-done-cancel", { name }),
      };
    }
  }
}

function costText({ lost, partly }: Extract<Choice, { readonly kind: "priority" }>): string {
  const list = (all: readonly Recording[]) => reader().list(all.map(nameWithTime));
  if (lost.length > 0 && partly.length > 0)
    return say("decision-cost-mixed", { names: list(lost), partly: list(partly) });
  if (lost.length > 0) return say("decision-cost-lost", { names: list(lost), count: lost.length });
  if (partly.length > 0) return say("decision-cost-partly", { names: list(partly), count: partly.length });
  return say("decision-cost-nothing");
}

function nameWithTime(recording: Recording): string {
  return say("decision-name", { name: titleOf(recording), time: clockText(recording.event.start) });
}

/** The recordings that hold the tuners. */
function Why({ decision: { holders } }: { readonly decision: Decision }) {
  const lines = holders.flatMap(({ tunerId, recordingId }) => {
    const holder = view.value?.recordings.get(recordingId);
    return holder === undefined ? [] : [{ tunerId, holder }];
  });
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>{say("decision-why")}</summary>
      <ul>
        {lines.map(({ tunerId, holder }) => (
          <li key={`${tunerId} ${holder.id}`}>
            {say("decision-holder", {
              tuner: tunerId,
              name: titleOf(holder),
              when: reader().inside.when(holder.window, now.value),
            })}
          </li>
        ))}
      </ul>
    </details>
  );
}
