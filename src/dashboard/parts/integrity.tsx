import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { returnCount } from "../state/live.ts";
import { exactText, sizeText } from "../words.ts";

/** The part of a recording's `.json` sidecar that is shown (docs/dev/recording-files.md); missing fields are not shown. */
interface Report {
  readonly integrity?: {
    readonly bitRate?: {
      readonly from: string;
      readonly spanMs: number;
      readonly bitsPerSecond: readonly number[];
    };
    readonly gaps?: readonly ReportedGap[];
    readonly clockBreaks?: readonly number[];
    readonly damagedPackets?: number;
    readonly junkBytes?: number;
  };
}

interface ReportedGap {
  readonly start: string;
  readonly stop: string;
  readonly lengthMs: number;
  /** Absent: neither is there. */
  readonly lacks?: "picture" | "sound";
}

const WIDTH = 640;
const HEIGHT = 90;

/** Bit rate over time, with gaps and breaks of the stream's clock. */
export function IntegrityPicture({ recordingId }: { readonly recordingId: string }) {
  const report = useSignal<Report | undefined>(undefined);
  useEffect(() => {
    ask<Report>("GET", `/v1/recordings/${encodeURIComponent(recordingId)}/report`).then(
      (value) => {
        report.value = value;
      },
      // Recordings remade by another program have no sidecar, and neither have unfinished ones.
      () => {},
    );
  }, [recordingId, returnCount.value, report]);
  const {
    bitRate,
    gaps = [],
    clockBreaks = [],
    damagedPackets = 0,
    junkBytes = 0,
  } = report.value?.integrity ?? {};
  if (bitRate === undefined || bitRate.bitsPerSecond.length === 0) return null;
  const { bitsPerSecond, spanMs } = bitRate;
  const from = Date.parse(bitRate.from);
  const lengthMs = bitsPerSecond.length * spanMs;
  const most = Math.max(...bitsPerSecond, 1);
  const middle = bitsPerSecond.reduce((sum, rate) => sum + rate, 0) / bitsPerSecond.length;
  const xOf = (ms: number) => (Math.min(Math.max(ms, 0), lengthMs) / lengthMs) * WIDTH;
  const bar = WIDTH / bitsPerSecond.length;
  return (
    <figure class="integrity">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say("integrity-picture")}
        aria-describedby="integrity-words"
      >
        {bitsPerSecond.map((rate, index) => {
          const height = (rate / most) * HEIGHT;
          return (
            <rect key={index} x={index * bar} y={HEIGHT - height} width={bar} height={height} class="rate" />
          );
        })}
        {gaps.map(({ start, stop, lacks }) => {
          const x = xOf(Date.parse(start) - from);
          const width = Math.max(2, xOf(Date.parse(stop) - from) - x);
          return (
            <rect
              key={start}
              x={x}
              width={width}
              y={0}
              height={HEIGHT}
              class={lacks === undefined ? "gap" : `gap no-${lacks}`}
            />
          );
        })}
        {clockBreaks.map((ms) => (
          <line key={ms} x1={xOf(ms)} x2={xOf(ms)} y1={0} y2={HEIGHT} class="break" />
        ))}
      </svg>
      <figcaption class="faint">
        {reader().span({ start: from, stop: from + lengthMs })}
        <ul id="integrity-words" class="integrity-words">
          {integrityTexts({ average: middle, most, gaps, clockBreaks, damagedPackets, junkBytes }).map(
            (text) => (
              <li key={text}>{text}</li>
            ),
          )}
        </ul>
      </figcaption>
    </figure>
  );
}

interface Shown extends Required<Omit<NonNullable<Report["integrity"]>, "bitRate">> {
  /** Bits per second. */
  readonly average: number;
  readonly most: number;
}

function integrityTexts({
  average,
  most,
  gaps,
  clockBreaks,
  damagedPackets,
  junkBytes,
}: Shown): readonly string[] {
  const { bitRate, list } = reader();
  return [
    say("integrity-rate", { average: bitRate(average), most: bitRate(most) }),
    gaps.length === 0 ? say("integrity-whole") : say("integrity-missing", { gaps: list(gaps.map(gapText)) }),
    ...(clockBreaks.length === 0 ? [] : [say("integrity-clock", { count: clockBreaks.length })]),
    ...(damagedPackets === 0 ? [] : [say("integrity-damaged", { count: damagedPackets })]),
    ...(junkBytes === 0 ? [] : [say("integrity-junk", { size: sizeText(junkBytes) })]),
  ];
}

function gapText({ start, lengthMs, lacks }: ReportedGap): string {
  return say("integrity-gap", {
    lacks: lacks ?? "all",
    length: reader().precise(lengthMs),
    at: exactText(Date.parse(start)),
  });
}
