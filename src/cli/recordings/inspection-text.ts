import type {
  BroadcastEvent,
  ClockSource,
  Inspection,
  PidFacts,
  ServiceFacts,
  StreamFacts,
} from "../../model/inspection.ts";
import { type DurationMs, formatDuration, formatInstant, MINUTE, SECOND } from "../../model/time.ts";
import { coveredMs, lengthMs, totalMs, uncovered } from "../../model/window.ts";
import type { FileIntegrity } from "../../recorder/evidence/file-integrity.ts";

/** An inspection in lines for people. */
export function describeInspection(
  file: string,
  found: Inspection,
  { verdict, sha256, bitRate }: FileIntegrity,
): string {
  return [
    file,
    ...overview(found),
    ...(verdict === undefined ? [] : [`  ${verdict}, judged from the file alone`]),
    ...(bitRate === undefined ? [] : [`  ${rates(bitRate.bitsPerSecond)}`]),
    `  SHA-256 ${sha256}`,
    ...section("clock", clock(found)),
    ...section("incomplete streams", tracks(found)),
    ...section("services", found.services.flatMap(service)),
    ...section("present and following", found.events.map(event)),
    ...section("PIDs with errors", found.pids.filter(hasErrors).map(errors)),
  ].join("\n");
}

function rates(bitsPerSecond: readonly number[]): string {
  const million = (bits: number) => (bits / 1e6).toFixed(1);
  const least = million(Math.min(...bitsPerSecond));
  const most = million(Math.max(...bitsPerSecond));
  return least === most ? `${most} Mbit/s` : `${least} to ${most} Mbit/s`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

function overview(found: Inspection): readonly string[] {
  const { transportStreamId: tsid, originalNetworkId: onid } = found;
  const ids = [
    tsid === undefined ? "" : `transport stream ${tsid}`,
    onid === undefined ? "" : `original network ${onid}`,
  ].filter((id) => id !== "");
  return [
    `  ${count(found.bytes, "byte")}, ${count(found.packets, "packet")} (${count(found.nullPackets, "null packet")})`,
    ...(ids.length === 0 ? [] : [`  ${ids.join(", ")}`]),
    `  ${count(found.continuityErrors, "continuity error")}, ${count(found.transportErrors, "transport error")}, ${count(found.scrambledPackets, "scrambled packet")}, ${count(found.damagedPackets, "damaged packet")}, ${count(found.junkBytes, "byte")} of junk`,
    ...edges(found),
  ];
}

/** A file cut from a stream begins and ends with partial packets: no error of the stream. */
function edges({ headBytes, tailBytes }: Inspection): readonly string[] {
  return [
    ...(headBytes === 0
      ? []
      : [`  begins inside a packet: ${count(headBytes, "byte")} before the first whole one`]),
    ...(tailBytes === 0
      ? []
      : [`  ends inside a packet: ${count(tailBytes, "byte")} after the last whole one`]),
  ];
}

function clock(found: Inspection): readonly string[] {
  const { clockSid, streamMs, firstTime, lastTime } = found;
  const length = { start: 0, stop: streamMs };
  const gaps = uncovered(length, found.spans);
  return [
    clockSid === undefined
      ? "no clock of a service found: length and gaps are unknown"
      : `service ${clockSid}: ${exactly(streamMs)} long, ${exactly(totalMs(found.spans))} of it present`,
    ...clockWords(found.clock),
    ...gaps.map((gap) => `gap of ${exactly(lengthMs(gap))} at ${exactly(gap.start)}`),
    ...found.lacks.map(
      (lack) => `no ${lack.kind} for ${exactly(lengthMs(lack))} from ${exactly(lack.start)}`,
    ),
    ...(found.hollow ?? []).map(({ kind, isUnchecked }) =>
      isUnchecked === true
        ? `packets of the ${kind} look empty; ffmpeg could not check them`
        : `packets of the ${kind} cannot be decoded`,
    ),
    ...found.clockBreaks.map((at) => `the clock jumps at ${exactly(at)}`),
    ...(firstTime === undefined ? [] : [`broadcast time from ${formatInstant(firstTime.utc)}`]),
    ...(lastTime === undefined ? [] : [`broadcast time to ${formatInstant(lastTime.utc)}`]),
  ];
}

function clockWords(clock: ClockSource): readonly string[] {
  switch (clock) {
    case "pcr":
    case "none":
      return [];
    case "other-pcr":
      return ["the PID that the PMT names for the PCR carries no PCR: measured with the PCRs of another PID"];
    case "timestamps":
      return ["the service has no PCR, or hardly any: measured with the timestamps of its PES packets"];
  }
}

/** Streams of the followed service that were missing for part of their listed time. */
function tracks({ tracks: all }: Inspection): readonly string[] {
  return all
    .filter(({ kind }) => kind === "video" || kind === "audio")
    .flatMap((track) => {
      const listedMs = totalMs(track.announced);
      const missingMs =
        listedMs - track.announced.reduce((sum, span) => sum + coveredMs(span, track.spans), 0);
      if (missingMs < SECOND) return [];
      const what =
        track.spans.length === 0 ? "never sent" : `${exactly(missingMs)} of ${exactly(listedMs)} missing`;
      return [`${stream(track)}: ${what}`];
    });
}

function service({ sid, name, provider, streams }: ServiceFacts): readonly string[] {
  const from = provider === undefined || provider === "" ? "" : ` (${provider})`;
  return [`${sid}  ${name ?? "without a name"}${from}`, ...streams.map((each) => `    ${stream(each)}`)];
}

function stream({ pid, kind, codec, language }: StreamFacts): string {
  const words = kind === "data" ? codec : `${kind}: ${codec}`;
  return `PID ${pid}  ${words}${language === undefined ? "" : ` (${language})`}`;
}

function event({ service: { sid }, which, start, durationMs, title }: BroadcastEvent): string {
  return `${sid}  ${which}  ${formatInstant(start)}  ${formatDuration(durationMs)}  ${title}`;
}

function hasErrors(pid: PidFacts): boolean {
  return pid.continuityErrors + pid.transportErrors + pid.scrambledPackets > 0;
}

function errors(pid: PidFacts): string {
  return `PID ${pid.pid}  ${count(pid.packets, "packet")}: ${count(pid.continuityErrors, "continuity error")}, ${count(pid.transportErrors, "transport error")}, ${count(pid.scrambledPackets, "scrambled packet")}`;
}

function count(amount: number, what: string): string {
  return `${amount.toLocaleString("en")} ${what}${amount === 1 ? "" : "s"}`;
}

/** To the millisecond: gaps are often shorter than a second. */
function exactly(ms: DurationMs): string {
  return ms < MINUTE ? `${(ms / SECOND).toFixed(3)} s` : formatDuration(ms);
}
