import type { Source } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import type { ServerInput } from "./server-tuners.ts";

/** The scales of level and quality (SAT>IP 1.2 §3.5.7). */
const LEVEL_MAX = 255;
const QUALITY_MAX = 15;
/** Satellite frequencies are reported in whole MHz; transponders are further apart. */
const SAME_MHZ = 1;

/**
 * The server's active frontends, from its answer to a DESCRIBE without a stream: one `a=fmtp:33 ver=…;src=…;tuner=…;pids=…` each
 * (SAT>IP 1.2 §3.5.7 for satellite and terrestrial, cable by the DVB-C supplement).
 *
 * @param sourceOf the source of a service
 */
export function satipInputs(
  sdp: string,
  sourceOf: (service: Triplet) => Source | undefined,
): readonly ServerInput[] {
  return sdp.split(/^m=/m).flatMap((stream) => {
    // minisatip reports level and lock of a request even if no tuner was free for it.
    if (/^a=inactive\r?$/m.test(stream)) return [];
    const said = /^a=fmtp:33 (.*?)\r?$/m.exec(stream)?.[1];
    const fields = new Map(said?.split(";").map((field) => splitOnce(field, "=")));
    // The sixth field is a bandwidth unless the system is a satellite's.
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
