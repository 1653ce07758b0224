import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MINUTE } from "../../model/time.ts";
import { daemonIdentity } from "../config/identity.ts";
import { loadConfig, setupCommandFor } from "../config/load.ts";
import { readSecretsFile, secretsPlace } from "../config/secrets.ts";
import { isUnconfigured } from "../setup/write-step.ts";
import type { Check, CheckContext } from "./check.ts";
import { lookAtClock } from "./clock.ts";
import { lookAtCards, lookAtLimits } from "./devices.ts";
import { bad, type Finding, good } from "./finding.ts";
import { lookAtFleet } from "./fleet.ts";
import { lookAtData, lookAtDisk, lookAtRecordings, lookAtSecrets } from "./folders.ts";
import { lookAtAccount, lookAtGuide, lookAtRegions } from "./guide.ts";
import { lookAtHost } from "./host.ts";
import type { Machine } from "./machine.ts";
import { lookAtNames } from "./names.ts";
import { lookAtFfmpeg, lookAtHooks, lookAtNode, lookAtProfile, lookAtTunerPrograms } from "./programs.ts";
import { lookAtServers } from "./servers.ts";
import { lookAtControl, lookAtDaemon, lookAtUnit, unitUser } from "./service.ts";
import { lookAtSetAside } from "./set-aside.ts";

/** In the order of the output. */
const CHECKS: readonly Check[] = [
  { name: "node", look: lookAtNode },
  { name: "ffmpeg", look: lookAtFfmpeg },
  { name: "host", look: lookAtHost },
  { name: "profile", look: lookAtProfile },
  { name: "programs", look: lookAtTunerPrograms },
  { name: "hooks", look: lookAtHooks },
  { name: "recordings", look: lookAtRecordings },
  { name: "disk", look: lookAtDisk },
  { name: "data", look: lookAtData },
  { name: "secrets", look: lookAtSecrets },
  { name: "fleet", look: lookAtFleet },
  { name: "names", look: lookAtNames },
  { name: "guide", look: lookAtGuide },
  { name: "account", look: lookAtAccount },
  { name: "clock", look: lookAtClock },
  { name: "cards", look: lookAtCards },
  { name: "tuners", look: lookAtServers },
  { name: "limits", look: lookAtLimits },
  { name: "unit", look: lookAtUnit },
  { name: "control", look: lookAtControl },
  { name: "set-aside", look: lookAtSetAside },
];

export interface Examination {
  /** Path of the configuration to check. */
  readonly file: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

const CHECK_MS = 2 * MINUTE;

/** Runs all checks, and changes nothing. Without a readable configuration, it runs only those that do not need one. */
export async function examine(examination: Examination, signal: AbortSignal): Promise<readonly Finding[]> {
  const { file, clock } = examination;
  try {
    if (await isUnconfigured(file))
      return [notSetUp(file), ...(await withoutConfiguration(examination, signal))];
    const patient = await contextOf(examination, signal);
    const configuration = { check: "configuration", ...good(`${file} has no mistakes`) };
    return [configuration, ...(await allOf(CHECKS, patient, { clock, signal }))];
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const { message: found, code } = error;
    const todo = `Correct it: recorderd check --config ${file} lists every mistake, and recorderd setup writes a new configuration.`;
    const fault = bad({ found, expected: "a configuration without mistakes", todo, code });
    return [{ check: "configuration", ...fault }, ...(await withoutConfiguration(examination, signal))];
  }
}

function notSetUp(file: string): Finding {
  const found = `recorderd is not set up: ${file} is missing, or still the example`;
  const todo = `Run ${setupCommandFor(file)}; with --web it asks in a browser.`;
  const fault = bad({ found, expected: "a configuration of your own", todo, code: "FILE_UNREADABLE" });
  return { check: "configuration", ...fault };
}

async function withoutConfiguration(
  { machine, clock }: Examination,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const config = { capture: { ffmpegPath: "ffmpeg" } };
  const [node, ffmpeg] = await Promise.all([
    lookAtNode({ machine }),
    lookAtFfmpeg({ config, machine, clock }, signal),
  ]);
  return [
    ...node.map((said) => ({ check: "node", ...said })),
    ...ffmpeg.map((said) => ({ check: "ffmpeg", ...said })),
  ];
}

async function contextOf({ file, machine, clock }: Examination, signal: AbortSignal): Promise<CheckContext> {
  const config = await loadConfig(file);
  const { folder } = config.data;
  const secrets = await readSecretsFile(secretsPlace(folder)).catch((error: unknown) => {
    if (error instanceof RecorderdError) return error;
    throw error;
  });
  const forGuide = { config, clock, secrets: secrets instanceof RecorderdError ? undefined : secrets };
  return {
    config,
    file,
    machine,
    who: await daemonIdentity({ dataFolder: folder, unitUser: await unitUser(machine.unitFolders) }, signal),
    secrets,
    guide: once(() => lookAtRegions(forGuide, signal)),
    daemon: once(() => lookAtDaemon(config, { clock, signal })),
    clock,
  };
}

/** Runs a shared request once for all checks. */
function once<T>(look: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= look();
    return answer;
  };
}

async function allOf(
  checks: readonly Check[],
  patient: CheckContext,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ name, look }) => {
      const timeoutError = () => new Error("late");
      const within = { ms: CHECK_MS, signal, timeoutError };
      const said = await withDeadline(clock, within, (both) => look(patient, both)).catch(
        (error: unknown) => {
          signal.throwIfAborted();
          if (!(error instanceof Error) || error.message !== "late") throw error;
          return [
            bad({
              found: `this check did not finish within ${CHECK_MS / MINUTE} minutes`,
              expected: "an answer",
              todo: "A disk or a server does not answer: see the kernel's log (dmesg).",
            }),
          ];
        },
      );
      return said.map((each) => ({ check: name, ...each }));
    }),
  );
  return found.flat();
}
