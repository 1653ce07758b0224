import type { Config } from "../../recorder/config/schema.ts";

/**
 * Tuners whose services ffmpeg has to take out of a stream. It leaves the event tables behind (EN 300 468 §5.2.4): nobody can tell
 * then that an event runs on.
 *
 * @returns a sentence for each
 */
export function notFollowed({ tuners, capture, follow }: Config): readonly string[] {
  if (follow.extendMinutes === 0 && !follow.endEarly) return [];
  const byHost = capture.engine !== "ffmpeg";
  return tuners.flatMap((tuner): readonly string[] => {
    if (tuner.kind === "satip" && tuner.pids === "all") {
      return [`${without(tuner.id, "its services")} With pids: listed they are kept.`];
    }
    if (tuner.kind !== "url") return [];
    const remuxed = tuner.services.filter((service) => isRemuxed(service, byHost));
    if (remuxed.length === 0) return [];
    const kept = remuxed.filter((service) => !isRemuxed(service, true)).length;
    const remedy = kept === 0 ? "" : ` With capture.engine: auto the capture host keeps those of ${kept}.`;
    return [`${without(tuner.id, `${remuxed.length} of its services`)}${remedy}`];
  });
}

function isRemuxed(
  { url, programme }: { readonly url: string; readonly programme: "single" | "multi" },
  byHost: boolean,
): boolean {
  if (/^rtsp:/i.test(url)) return true;
  return !byHost && (programme === "multi" || /^rtp:/i.test(url));
}

function without(tunerId: string, which: string): string {
  return `tuner ${tunerId}: ffmpeg leaves the event tables of ${which} behind, so what runs on is not followed there.`;
}
