import type { SourceShape } from "../../model/source.ts";
import { copiesBytes } from "../../recorder/capture/ffmpeg-arguments.ts";
import { whyNotByHost } from "../../recorder/capture/host/readable.ts";
import type { Config } from "../../recorder/config/schema.ts";
import { kindOf } from "../../recorder/tune/registry.ts";

/**
 * Tuners whose services ffmpeg must extract from a stream. ffmpeg drops the EIT (EN 300 468 §5.2.4), so an overrun goes
 * unnoticed.
 *
 * @returns a sentence for each
 */
export function notFollowed({ tuners, capture, follow }: Config): readonly string[] {
  if (follow.extendMinutes === 0 && !follow.endEarly) return [];
  const byHost = capture.engine !== "ffmpeg";
  return tuners.flatMap((tuner): readonly string[] => {
    const { sources, keepsEventsWith } = kindOf(tuner);
    const all = sources(tuner);
    const remuxed = all.filter((source) => isRemuxed(source, byHost));
    if (remuxed.length === 0) return [];
    const which = all.length === 1 ? "its services" : `${remuxed.length} of its services`;
    const kept = remuxed.filter((source) => !isRemuxed(source, true)).length;
    const remedies = [
      ...(kept === 0
        ? []
        : [`With capture.engine: auto, the capture host keeps the event tables of ${kept}.`]),
      ...(keepsEventsWith === undefined ? [] : [keepsEventsWith]),
    ];
    return [[without(tuner.id, which), ...remedies].join(" ")];
  });
}

function isRemuxed(source: SourceShape, byHost: boolean): boolean {
  return !copiesBytes(source) && !(byHost && whyNotByHost(source) === undefined);
}

function without(tunerId: string, which: string): string {
  return `tuner ${tunerId}: ffmpeg drops the event tables of ${which}, so recordings there cannot follow an event that overruns.`;
}
