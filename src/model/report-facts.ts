import type { ErrorCode } from "./errors.ts";
import type { Evidence, Gap, IncompleteTrack, Verdict } from "./evidence.ts";
import type { NamedRepeat, TrimNews } from "./plan-news.ts";
import type { Trouble } from "./recording.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { Outage, Window } from "./window.ts";

/** The content of a message to the guide service. Its delivery puts it into words (decision 56). */
export interface ReportFacts {
  readonly about: ReportSubject;
  /** Another broadcast that was booked or recorded for the loss. */
  readonly repeat?: NamedRepeat & { readonly step: "booked" | "healed" };
}

export type ReportSubject =
  | {
      readonly is: "scheduled";
      readonly tunerId: string;
      readonly span: Window;
      readonly doubt?: DoubtFacts;
      readonly trim?: { readonly text: string; readonly news?: TrimNews };
      readonly trouble?: TroubleFacts;
    }
  | { readonly is: "conflict"; readonly trouble?: TroubleFacts }
  | { readonly is: "waiting"; readonly span: Window; readonly trouble?: TroubleFacts }
  | {
      readonly is: "recording";
      readonly tunerId: string;
      readonly since: EpochMs;
      /** Absent if it began in time. */
      readonly lateMs?: DurationMs;
      readonly interruptions: number;
    }
  | {
      readonly is: "recorded" | "recorded-part";
      readonly verdict?: Verdict;
      readonly figures: FigureFacts;
      readonly trouble?: TroubleFacts;
    }
  | { readonly is: "not-recorded"; readonly hasFlowed: boolean; readonly trouble?: TroubleFacts }
  | { readonly is: "missed"; readonly outage?: Outage; readonly trouble?: TroubleFacts }
  | { readonly is: "unfinished"; readonly since: EpochMs; readonly trouble: TroubleFacts }
  | { readonly is: "clock" }
  | { readonly is: "withdrawn"; readonly isPartKept: boolean }
  | { readonly is: "not-understood"; readonly reason: string; readonly isOrderKept: boolean };

/** A trouble, and the tuner that had it. */
export interface TroubleFacts extends Trouble {
  readonly tunerId?: string;
}

/** A planned tuner that does not work: since when, and why. */
export interface DoubtFacts {
  readonly tunerId: string;
  readonly since: EpochMs;
  readonly code: ErrorCode;
}

export const FLAWS = [
  "continuityErrors",
  "tableErrors",
  "transportErrors",
  "scrambledPackets",
  "clockBreaks",
  "damagedPackets",
  "junkBytes",
] as const satisfies readonly (keyof Evidence)[];

/** The share of the event in the file, and the flaws of the file. */
export interface FigureFacts {
  /** Share of the event, cut and not rounded: 99.99 must not read as 100. Absent if the stream has no clock. */
  readonly eventPercent?: number;
  readonly bytes: number;
  readonly flaws: Readonly<Partial<Record<(typeof FLAWS)[number], number>>>;
  /** The longest, in order of time. */
  readonly gaps: readonly Gap[];
  readonly hollow?: Evidence["hollow"];
  readonly tracks: readonly Pick<IncompleteTrack, "kind" | "language" | "codec" | "missing" | "neverSent">[];
  readonly hasPlainName: boolean;
}
