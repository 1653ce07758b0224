import type { Source } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import type { ServerInput } from "./server-tuners.ts";

/** The scales of level and quality (SAT>IP 1.2 §3.5.7). */
const LEVEL_MAX = 255;
const QUALITY_MAX = 15;
/** Satellite frequencies are told in whole MHz; the next transponder is further away. */
const SAME_MHZ = 1;

/**
 * The frontends of a server that stream now, by its answer to DESCRIBE without a stream: `a=fmtp:33 ver=…;src=…;tuner=…;pids=…` for
 * each (SAT>IP 1.2 §3.5.7 for satellite and terrestrial, cable by the DVB-C supplement).
 *
 * @param sourceOf what a service is asked for with
 */
export function satipInputs(
  sdp: string,
  sourceOf: (service: Triplet) => Source | undefined,
): readonly ServerInput[] {
  return sdp.split(/^m=/m).flatMap((stream) => {
    // minisatip tells level and lock of what it was asked for also where no tuner was free for it.
    if (/^a=inactive\r?$/m.test(stream)) return [];
    const said = /^a=fmtp:33 (.*?)\r?$/m.exec(stream)?.[1];
    const fields = new Map(said?.split(";").map((field) => splitOnce(field, "=")));
    // The sixth is a bandwidth where it is no satellite's.
    const [id = "", level = "", lock = "", quality = "", frequency = "", polarization = "", system = ""] =
      fields.get("tuner")?.split(",") ?? [];
    if (id === "") return [];
    const holds = (service: Triplet) => {
      const asked = new URLSearchParams(sourceOf(service)?.url.replace(/^.*\?/, "") ?? "");
      const isThere =
        fields.get("ver") !== "1.0" ||
        ((asked.get("pol") ?? polarization) === polarization && asked.get("src") === fields.get("src"));
      return (
        isThere &&
        asked.get("msys") === system &&
        Math.abs(Number(asked.get("freq")) - Number(frequency)) < SAME_MHZ
      );
    };
    return [
      {
        input: `frontend ${id}`,
        isLocked: lock === "1",
        strengthPercent: percentOf(Number(level), LEVEL_MAX),
        qualityPercent: percentOf(Number(quality), QUALITY_MAX),
        holds,
      },
    ];
  });
}

function percentOf(value: number, max: number): number {
  return Math.min(100, Math.max(0, Math.round((100 * value) / max)));
}

function splitOnce(text: string, by: string): readonly [string, string] {
  const at = text.indexOf(by);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
