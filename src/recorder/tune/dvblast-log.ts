import type { ErrorCode } from "../../model/errors.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";

/** The state in dvblast's log, as far back as the log goes. */
export interface DvblastLogState {
  /** `undefined` before the first message about it. */
  readonly locked?: boolean;
  /** Transport stream id and services of the latest PAT. */
  readonly pat?: { readonly tsid: number; readonly sids: ReadonlySet<number> };
  /** Original network and transport stream id of the latest SDT. */
  readonly sdt?: { readonly onid: number; readonly tsid: number };
  /** How often it has reloaded its outputs. */
  readonly reloads: number;
  /** The reason why it failed or stopped. */
  readonly failure?: { readonly code: ErrorCode; readonly text: string };
}

/** The meanings of its error messages, as dvblast 3.4 and the system (LC_ALL=C) write them. */
const FAILURES: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [/opening device \S+ failed \(Device or resource busy\)/, "TUNER_IN_USE", "another program uses it"],
  [/couldn't bind \(Address already in use\)/, "TUNER_IN_USE", "another program reads this stream"],
  [/opening device \S+ failed \((?:Permission denied|Operation not permitted)\)/, "TUNER_FORBIDDEN", ""],
  [
    /opening device \S+ failed \(No such/,
    "TUNER_UNREACHABLE",
    "there is no such device: check that it is plugged in",
  ],
  [/couldn't read from DVR device \(No such device\)/, "TUNER_UNREACHABLE", "the device was taken away"],
  [
    /reading frontend event failed \(-?\d+\) No such device/,
    "TUNER_UNREACHABLE",
    "the device was taken away",
  ],
  [/opening device \S+ failed/, "TUNER_UNREACHABLE", "the device cannot be opened"],
  [
    /setting frontend failed|out of any known band/,
    "TUNER_SERVICE_UNKNOWN",
    "it cannot tune to the channel list's parameters",
  ],
  [/couldn't (?:bind|parse|create socket)/, "TUNER_UNREACHABLE", "the address of the stream cannot be read"],
  [/dvblast: not found/, "TUNER_UNREACHABLE", "dvblast is not installed (Debian: apt-get install dvblast)"],
];

export function readDvblastLog(text: string): DvblastLogState {
  let locked: boolean | undefined;
  let pat: { tsid: number; sids: Set<number> } | undefined;
  let open: { tsid: number; sids: Set<number> } | undefined;
  let sdt: DvblastLogState["sdt"];
  let failure: DvblastLogState["failure"];
  let reloads = 0;
  for (const line of text.split("\n")) {
    const newPat = /new PAT tsid=(\d+)/.exec(line);
    const newSdt = /new SDT actual tsid=(\d+) version=\d+ onid=(\d+)/.exec(line);
    const sid = /\* program number=(\d+)/.exec(line)?.[1];
    if (newPat !== null) open = { tsid: Number(newPat[1]), sids: new Set() };
    else if (open !== undefined && sid !== undefined) open.sids.add(Number(sid));
    else if (line.endsWith("end PAT")) pat = open ?? pat;
    else if (newSdt !== null) sdt = { onid: Number(newSdt[2]), tsid: Number(newSdt[1]) };
    else if (line.includes("frontend has acquired lock")) locked = true;
    else if (/frontend has lost lock|no lock, tuning again/.test(line)) locked = false;
    else if (line.includes("Configuration reload was requested")) reloads += 1;
    failure ??= failureOf(line);
  }
  return {
    reloads,
    ...withoutUndefined({ locked, pat, sdt, failure }),
  };
}

function failureOf(line: string): DvblastLogState["failure"] {
  const found = FAILURES.find(([words]) => words.test(line));
  return found === undefined ? undefined : { code: found[1], text: found[2] };
}
