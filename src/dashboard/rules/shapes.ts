import type { RuleMatch, RuleOrder } from "../../model/rule.ts";

/** An order as a page sends it; at a guide server with the device that records. */
export type SentOrder = RuleOrder & { readonly deviceId?: number };

/** The answer of `/v1/rules/preview`. */
export interface Preview {
  /** By start; the first ones if there are very many. */
  readonly matches: readonly RuleMatch[];
  /** The number of all matches, and of those that are recorded. */
  readonly total: number;
  readonly records: number;
  /** Recorded matches whose episode the guide does not identify. */
  readonly unidentified: number;
  /** Present if too many shows match: those that begin later are not counted. */
  readonly countedUntil?: number;
  /** Only at a recorder: other recordings that lose something. */
  readonly displaced?: readonly Displaced[];
  /** Recorded matches that get no tuner. */
  readonly unplaced?: readonly { readonly showId: number; readonly title: string; readonly start: number }[];
  readonly needsBytes?: number;
  readonly freeBytes?: number;
}

export interface Displaced {
  readonly timerId: string;
  readonly title: string;
  readonly start: number;
  readonly stop: number;
  readonly lostMs: number;
}

/** An order, and the rule that it would replace. */
export interface PreviewOrder {
  readonly order: SentOrder;
  readonly replaces?: number;
}
