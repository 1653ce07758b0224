import { join } from "node:path";
import { runBounded } from "../../kit/process/bounded-process.ts";
import { PROCESS_LIMITS } from "../../kit/process/limits.ts";
import { startProblem } from "../../kit/process/startable.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Config } from "../config/schema.ts";
import { checkAbilities } from "../subsystems/library/abilities.ts";
import { commandOf, HOOK_PATH } from "../subsystems/library/core/hooks.ts";
import { kindOf } from "../tune/registry.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result } from "./finding.ts";

const NODE_MIN = [20, 19] as const;
const FFMPEG_MIN = [5, 1] as const;

export async function lookAtNode({ machine: { nodeVersion } }: Pick<CheckContext, "machine">) {
  if (isAtLeast(nodeVersion, NODE_MIN)) return [good(`Node.js ${nodeVersion}`)];
  return [
    bad({
      found: `Node.js ${nodeVersion}`,
      expected: `Node.js ${NODE_MIN.join(".")} or newer`,
      todo: "Install a newer Node.js. Debian 12 has none: use another source, such as NodeSource.",
    }),
  ];
}

/** Suffixes after the version's numbers are ignored. */
function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, below = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return ours > major || (ours === major && below >= minor);
}

/** Protocols and formats that captures need, by ffmpeg's names. */
const PROTOCOLS = ["file", "http", "rtp", "tcp", "udp"];
const FORMATS = ["mpegts", "rtsp"];

/** The part that also exists without a configuration. */
type FfmpegPlace = Pick<CheckContext, "machine" | "clock"> & {
  readonly config: { readonly capture: Pick<Config["capture"], "ffmpegPath"> };
};

export async function lookAtFfmpeg(patient: FfmpegPlace, signal: AbortSignal): Promise<readonly Result[]> {
  const { ffmpegPath } = patient.config.capture;
  const { how, answer } = await ask(patient, ["-version"], signal);
  const install = "Install ffmpeg (on Debian: apt install ffmpeg), or name it in capture.ffmpegPath.";
  if (how === "not-started") {
    const where = ffmpegPath.includes("/") ? ffmpegPath : `${ffmpegPath} in ${patient.machine.path}`;
    const expected = "a program that can be run";
    return [bad({ found: `there is no ${where}`, expected, todo: install, code: "FFMPEG_MISSING" })];
  }
  const version = /^ffmpeg version (?:n|N-)?(\S+)/m.exec(answer)?.[1];
  const expected = `ffmpeg ${FFMPEG_MIN.join(".")} or newer`;
  if (version === undefined) {
    return [bad({ found: `${ffmpegPath} is not ffmpeg`, expected, todo: install, code: "FFMPEG_MISSING" })];
  }
  // Daily builds have no version number: `N-109468-gd39b34123d` is newer than any.
  if (/^\d{1,3}\./.test(version) && !isAtLeast(version, FFMPEG_MIN)) {
    return [bad({ found: `ffmpeg ${version}`, expected, todo: install, code: "FFMPEG_MISSING" })];
  }
  const missing = [
    ...(await lacking(patient, { list: "-protocols", words: PROTOCOLS }, signal)),
    ...(await lacking(patient, { list: "-formats", words: FORMATS }, signal)),
  ];
  if (missing.length === 0) return [good(`ffmpeg ${version}, with all features for captures`)];
  return [
    bad({
      found: `ffmpeg ${version} lacks ${missing.join(", ")}`,
      expected: "an ffmpeg that can read the tuners' streams and write MPEG-TS",
      todo: "Install your distribution's ffmpeg instead of this reduced build.",
      code: "FFMPEG_MISSING",
    }),
  ];
}

async function lacking(
  patient: FfmpegPlace,
  { list, words }: { readonly list: string; readonly words: readonly string[] },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { answer } = await ask(patient, ["-hide_banner", list], signal);
  const there = new Set(answer.split(/[\s,]+/));
  return words.filter((word) => !there.has(word)).map((word) => `${list.slice(1, -1)} ${word}`);
}

function ask(
  { config, machine: { path: PATH }, clock }: FfmpegPlace,
  args: readonly string[],
  signal: AbortSignal,
) {
  const { toolAnswerMs: timeoutMs, toolAnswerBytes: outputBytesMax } = PROCESS_LIMITS;
  const { ffmpegPath: command } = config.capture;
  const env = { PATH, LC_ALL: "C" };
  return runBounded({ command, args, env, timeoutMs, outputBytesMax }, { clock, signal });
}

/** Checks the profile for post-processing of recordings. */
export async function lookAtProfile(
  { config, clock }: CheckContext,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const { profile, jobs } = config;
  try {
    const comskip = jobs.commercials ? jobs.comskipPath : undefined;
    const encoder = await checkAbilities({ profile, comskip }, { clock, signal });
    return [good(`profile ${profile.kind}${encoder === "" ? "" : `, encoder ${encoder} works`}`)];
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return [
      bad({
        found: error.message,
        expected: "programs for the configured profile and jobs",
        todo: "Install what is missing, or change profile or jobs in the configuration.",
        code: error.code,
      }),
    ];
  }
}

export async function lookAtTunerPrograms(
  { config, machine, clock }: CheckContext,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const needed = new Set(config.tuners.flatMap((tuner) => kindOf(tuner).program ?? []));
  const { toolAnswerMs: timeoutMs, toolAnswerBytes: outputBytesMax } = PROCESS_LIMITS;
  const env = { PATH: machine.path, LC_ALL: "C" };
  return Promise.all(
    [...needed].map(async ({ command, purpose, install: todo }) => {
      const order = { command, args: ["--version"], env, timeoutMs, outputBytesMax };
      const { how } = await runBounded(order, { clock, signal });
      if (how !== "not-started") return good(`${command} is installed`);
      return bad({
        found: `${command} is missing from ${machine.path}`,
        expected: `${command}, which ${purpose}`,
        todo,
      });
    }),
  );
}

/** A path in the machine's /proc. */
export function procFile({ machine }: Pick<CheckContext, "machine">, ...names: readonly string[]): string {
  return join(machine.proc, ...names);
}

/** Checks the commands that are run for events of recordings. */
export async function lookAtHooks({
  config: { hooks },
}: Pick<CheckContext, "config">): Promise<readonly Result[]> {
  const found = await Promise.all(
    hooks.map(async (hook, index): Promise<Result> => {
      const [program] = hook.command;
      const why = await startProblem(commandOf(hook), HOOK_PATH);
      if (why === undefined) return good(`hooks[${index}] can be started: ${program}`);
      return bad({
        found: `hooks[${index}] cannot be started: ${why}`,
        expected: "a program that the daemon may run, with valid arguments",
        todo: `Correct hooks[${index}].command in the configuration (${program}).`,
        code: "CONFIG_INVALID",
      });
    }),
  );
  return found.length === 0 ? [good("no hooks")] : found;
}
