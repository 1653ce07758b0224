import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatDuration } from "../../model/time.ts";
import { ask } from "../state/api.ts";
import { exactText } from "../words.ts";

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
  }, [recordingId, report]);
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
  const description = [
    `${megabits(middle)} on average, ${megabits(most)} at most`,
    gaps.length === 0 ? "nothing is missing" : `missing: ${gaps.map(gapText).join(", ")}`,
    clockBreaks.length === 0 ? "" : `${clockBreaks.length} breaks of the clock`,
    damagedPackets === 0 ? "" : `damaged packets: ${damagedPackets}`,
    junkBytes === 0 ? "" : `bytes of junk: ${junkBytes}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
  return (
    <figure class="integrity">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Bit rate over time: ${description}`}
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
        {description}, {exactText(from)}–{exactText(from + lengthMs)}
      </figcaption>
    </figure>
  );
}

function gapText({ start, lengthMs, lacks }: ReportedGap): string {
  const what = lacks === undefined ? "" : `${lacks} `;
  return `${what}${formatDuration(lengthMs)} at ${exactText(Date.parse(start))}`;
}

function megabits(bitsPerSecond: number): string {
  return `${(bitsPerSecond / 1e6).toFixed(1)} Mbit/s`;
}
