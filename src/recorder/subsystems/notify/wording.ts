import type { Gap } from "../../../model/evidence.ts";
import type { News, NewsFacts } from "../../../model/news.ts";
import { workLine } from "../../../model/set-aside.ts";
import { type EpochMs, MINUTE } from "../../../model/time.ts";
import type { Window } from "../../../model/window.ts";
import { detailWords } from "../../../words/details.ts";
import type { Reader } from "../../../words/reader.ts";
import { shortened } from "../../../words/shortened.ts";
import { NOTIFY_LIMITS } from "./limits.ts";
import { damageKey, reasonKey } from "./reason.ts";
import type { Notification } from "./target.ts";

/** The language and the zone of a notification, and when it is sent: days are named from there. */
export interface Speech {
  readonly reader: Reader;
  readonly now: EpochMs;
}

interface Words {
  readonly title: string;
  /** Whole sentences, or labels with their values: no language has to join them. */
  readonly lines: readonly string[];
}

/** Puts news into the reader's words. The same news at the same time give the same notification. */
export function worded({ facts, ...news }: News, speech: Speech): Notification {
  const { title, lines } = wordsOf(facts, speech);
  const { reader, now } = speech;
  const when = reader.at(news.at, now);
  return {
    ...news,
    title,
    text: lines.join("\n"),
    labels: {
      subject: reader.say("notification-mail-subject", { title }),
      time: reader.say("notification-mail-time", { when, zone: reader.timeZone }),
      entity: reader.say("notification-entity"),
    },
  };
}

function wordsOf(facts: NewsFacts, speech: Speech): Words {
  switch (facts.is) {
    case "recorded":
    case "not-recorded":
    case "missed":
      return endWords(facts, speech);
    case "conflict":
      return conflictWords(facts, speech);
    case "repeat-booked":
    case "healed":
      return repeatWords(facts, speech);
    case "file-flaw":
      return fileWords(facts, speech);
    case "disk":
    case "store":
      return diskWords(facts, speech);
    case "sign-in":
    case "guide-failed":
    case "guide-shrunk":
    case "secrets":
      return syncWords(facts, speech);
    case "words":
      return { title: facts.title, lines: [facts.text] };
    default:
      return machineWords(facts, speech);
  }
}

type FactsOf<Is extends NewsFacts["is"]> = Extract<NewsFacts, { readonly is: Is }>;

function endWords(facts: FactsOf<"recorded" | "not-recorded" | "missed">, speech: Speech): Words {
  const { say } = speech.reader;
  const name = shortName(facts.name);
  const details = facts.details === undefined ? [] : detailWords(facts.details, speech.reader);
  const reasons = facts.code === undefined ? [] : [say(reasonKey(facts.code)), ...details];
  const show = showLine(facts, speech);
  switch (facts.is) {
    case "recorded": {
      const title = say(facts.isWhole ? "notification-recorded-title" : "notification-damaged-title", {
        name,
      });
      // A trouble that left no trace in the file is over.
      const why = facts.isWhole || facts.code === undefined ? [] : [say(damageKey(facts.code)), ...details];
      return { title, lines: [show, ...figureLines(facts, speech), ...why] };
    }
    case "not-recorded": {
      const nothing = say(facts.hasFlowed ? "notification-nothing-left" : "notification-why-silent");
      const title = say("notification-not-recorded-title", { name });
      return { title, lines: [show, ...(reasons.length > 0 ? reasons : [nothing])] };
    }
    case "missed": {
      const title = say("notification-not-recorded-title", { name });
      return { title, lines: [show, ...(reasons.length > 0 ? reasons : [say("notification-missed")])] };
    }
  }
}

function shortName(name: string): string {
  return shortened(name, NOTIFY_LIMITS.nameLength);
}

function showLine(
  { channelName, event }: { readonly channelName: string; readonly event: Window },
  { reader, now }: Speech,
): string {
  return reader.say("notification-show", { when: reader.when(event, now), channel: shortName(channelName) });
}

function figureLines(
  { share, bytes, errors, gaps }: FactsOf<"recorded">,
  { reader }: Speech,
): readonly string[] {
  const { say } = reader;
  const size = reader.size(bytes);
  return [
    share === undefined
      ? say("notification-share-unknown", { size })
      : say("notification-share", { share: reader.percent(cut(share)), size }),
    say("notification-errors", { count: errors }),
    ...GAP_KINDS.flatMap(({ lacks, key }) => {
      const spans = gaps.filter((gap) => gap.lacks === lacks).map((gap) => exactSpan(gap, reader));
      return spans.length === 0 ? [] : [say(key, { spans: reader.list(spans) })];
    }),
  ];
}

const GAP_KINDS = [
  { lacks: undefined, key: "notification-gaps" },
  { lacks: "picture", key: "notification-gaps-picture" },
  { lacks: "sound", key: "notification-gaps-sound" },
] as const;

/** Not rounded: 99.99 % must not read as 100 %. */
function cut(share: number): number {
  return Math.floor(share * 1000) / 1000;
}

function exactSpan({ start, stop }: Gap, reader: Reader): string {
  return `${reader.exact(start)}–${reader.exact(stop)}`;
}

function conflictWords(facts: FactsOf<"conflict">, speech: Speech): Words {
  const { reader } = speech;
  const { say } = reader;
  const recordings = facts.holders.map((holder) =>
    say("notification-holder", { name: shortName(holder.name), when: reader.span(holder.event) }),
  );
  const isBusy = facts.code === undefined || facts.code === "TUNER_BUSY";
  return {
    title: say("notification-conflict-title", { name: shortName(facts.name) }),
    lines: [
      showLine(facts, speech),
      say(isBusy ? "notification-conflict-busy" : reasonKey(facts.code)),
      ...(recordings.length === 0
        ? []
        : [
            say("notification-conflict-holders", { recordings: reader.list(recordings) }),
            say("notification-conflict-choice"),
          ]),
    ],
  };
}

function repeatWords({ is, ...facts }: FactsOf<"repeat-booked" | "healed">, { reader, now }: Speech): Words {
  const values = { when: reader.inside.when(facts.event, now), channel: shortName(facts.channelName) };
  return {
    title: reader.say(`notification-${is}-title`, { name: shortName(facts.name) }),
    lines: [reader.say(`notification-${is}`, values)],
  };
}

function fileWords({ name, flaw, file, bytes, wasBytes }: FactsOf<"file-flaw">, { reader }: Speech): Words {
  const { say } = reader;
  const sizes = (size: number) => ({ size: reader.size(size), whole: reader.size(wasBytes) });
  return {
    title: say("notification-file-title", { name: shortName(name) }),
    lines: [
      say(`notification-file-${flaw}`),
      ...(bytes === undefined ? [] : [say("notification-file-sizes", sizes(bytes))]),
      say("notification-file-kept", { file }),
    ],
  };
}

function diskWords(facts: FactsOf<"disk" | "store">, { reader: { say } }: Speech): Words {
  if (facts.is === "disk") {
    const { level } = facts;
    return { title: say(`notification-disk-${level}-title`), lines: [say(`notification-disk-${level}`)] };
  }
  const what = facts.code === "DISK_LOW" ? "reserve" : "data";
  return { title: say(`notification-${what}-title`), lines: [say(`notification-${what}`)] };
}

function syncWords(
  facts: FactsOf<"sign-in" | "guide-failed" | "guide-shrunk" | "secrets">,
  { reader, now }: Speech,
): Words {
  const { say } = reader;
  const title = say(`notification-${facts.is}-title`);
  switch (facts.is) {
    case "sign-in":
      return { title, lines: [say("notification-sign-in")] };
    case "guide-failed": {
      const lastedMs = Math.max(MINUTE, Math.floor((now - facts.since) / MINUTE) * MINUTE);
      const duration = reader.duration(lastedMs);
      return { title, lines: [say(reasonKey(facts.code)), say("notification-guide-failed", { duration })] };
    }
    case "guide-shrunk": {
      const { listed, held } = facts;
      return { title, lines: [say("notification-guide-shrunk", { listed, held })] };
    }
    case "secrets":
      return { title, lines: [say(`notification-secrets-${facts.usesEarlier ? "earlier" : "none"}`)] };
  }
}

function machineWords(
  facts: FactsOf<"tuner" | "clock" | "woke-late" | "set-aside" | "test">,
  { reader, now }: Speech,
): Words {
  const { say } = reader;
  switch (facts.is) {
    case "tuner": {
      const title = say("notification-tuner-title", { tuner: facts.tunerId });
      return { title, lines: [say(reasonKey(facts.code)), say("notification-tuner")] };
    }
    case "woke-late": {
      const { inside } = reader;
      const [wanted, came] = [inside.at(facts.wantedAt, now), inside.at(facts.cameAt, now)];
      const lines = [
        say("notification-woke-late-wanted", { time: wanted }),
        say("notification-woke-late-came", { time: came }),
      ];
      return { title: say("notification-woke-late-title"), lines };
    }
    case "set-aside":
      return { title: say("notification-set-aside-title"), lines: setAsideLines(facts, reader) };
    case "clock":
    case "test":
      return { title: say(`notification-${facts.is}-title`), lines: [say(`notification-${facts.is}`)] };
  }
}

function setAsideLines({ work, forMs }: FactsOf<"set-aside">, reader: Reader): readonly string[] {
  const { say } = reader;
  const isSkipped = work.kind !== "decision" && work.kind !== "stored-document";
  return [
    ...(isSkipped ? [say("notification-set-aside-rest", { duration: reader.duration(forMs) })] : []),
    say(`notification-work-${work.kind}`),
    say("notification-set-aside-work", { work: workLine(work) }),
  ];
}
