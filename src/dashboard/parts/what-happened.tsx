import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { now } from "../clock.ts";
import { type HistoryLine, toldLines } from "../happened.ts";
import { ask } from "../state/api.ts";
import { say } from "../state/language.ts";
import { returnCount } from "../state/live.ts";
import { dayText, exactText } from "../words.ts";

interface History {
  readonly timeZone?: string;
  readonly lines: readonly HistoryLine[];
}

/** A longer history is folded. */
const LINES_OPEN = 8;

/**
 * The history of a timer in the reader's words, and the recorder's own sentences for engineers.
 *
 * @param revision changes with every event of the timer and triggers a reload
 * @param technical more sentences of the recorder, in English
 */
export function WhatHappened({
  timerId,
  revision,
  technical,
}: {
  readonly timerId: string;
  readonly revision: unknown;
  readonly technical: readonly string[];
}) {
  const history = useSignal<History | string | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    ask<History>("GET", `/v1/timers/${encodeURIComponent(timerId)}/why`).then(
      (value) => {
        if (!isOver) history.value = value;
      },
      (error: Error) => {
        if (!isOver) history.value = error.message;
      },
    );
    return () => {
      isOver = true;
    };
  }, [timerId, revision, returnCount.value]);
  const { value } = history;
  if (value === undefined || typeof value === "string") return <p class="faint">{value ?? "…"}</p>;
  const told = toldLines(value.lines);
  return (
    <section class="happened" aria-labelledby="why-title">
      <h3 id="why-title">{say("happened-title")}</h3>
      {told.length <= LINES_OPEN ? (
        <Story lines={told} />
      ) : (
        <details>
          <summary>{say("happened-lines", { count: told.length })}</summary>
          <Story lines={told} />
        </details>
      )}
      <details class="technical">
        <summary>{say("trouble-technical")}</summary>
        <p class="faint">
          {value.timeZone === undefined
            ? say("happened-technical-plain")
            : say("happened-technical", { zone: value.timeZone })}
        </p>
        <div lang="en">
          {technical.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <Story lines={value.lines} timeOf={timesIn(value.timeZone)} />
        </div>
      </details>
    </section>
  );
}

/** By the clock of the sentences beside it: no line has two. */
function timesIn(timeZone: string | undefined): (at: number) => string {
  if (timeZone === undefined) return timeText;
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "medium", timeStyle: "medium" });
  return (at) => format.format(at);
}

function timeText(at: number): string {
  return `${dayText(at, now.value)} ${exactText(at)}`;
}

function Story({
  lines,
  timeOf = timeText,
}: {
  readonly lines: readonly { readonly at: number; readonly text: string }[];
  readonly timeOf?: (at: number) => string;
}) {
  return (
    <ol class="story">
      {lines.map(({ at, text }, index) => (
        <li key={`${index} ${at}`}>
          <time class="faint">{timeOf(at)}</time> {text}
        </li>
      ))}
    </ol>
  );
}
