import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { RECEIVE_BUFFER_BYTES } from "../capture/profiles.ts";
import type { Config } from "../config/schema.ts";
import type { Facts } from "../model/errors.ts";
import { RecorderdError } from "../model/errors.ts";
import { groupOf } from "../tune/device-group.ts";
import { openTuners, type TunerConfig } from "../tune/registry.ts";
import type { Patient } from "./check.ts";
import { bad, good, type Said, unknown } from "./finding.ts";
import { mayUse } from "./identity.ts";
import { procFile } from "./programs.ts";

export async function lookAtCards({ config, machine, who }: Patient): Promise<readonly Said[]> {
  const cards = config.tuners.flatMap((tuner) =>
    tuner.kind === "dvb" && tuner.stream === undefined ? [tuner] : [],
  );
  return Promise.all(
    cards.map(async ({ id, adapter, frontend }) => {
      const device = join(machine.dvb, `adapter${adapter}`, `frontend${frontend}`);
      const expected = `a DVB card that ${who.name} may use`;
      if ((await stat(device).catch(() => undefined)) === undefined) {
        const todo =
          "Plug it in, see with dmesg whether its driver and firmware are there, or correct adapter and frontend.";
        return bad({
          found: `tuner ${id}: there is no ${device}`,
          expected,
          todo,
          code: "TUNER_UNREACHABLE",
        });
      }
      if (await mayUse(device, "read-write", who)) return good(`tuner ${id}: ${who.name} may use ${device}`);
      const group = await groupOf(device);
      const todo = `Join the group of the device, and restart: usermod -aG ${group} ${who.name}`;
      return bad({
        found: `tuner ${id}: ${who.name} may not use ${device}`,
        expected,
        todo,
        code: "TUNER_FORBIDDEN",
      });
    }),
  );
}

/** Asks the server of each tuner as the daemon does when it starts, and lists what it could not use. */
export async function lookAtServers(patient: Patient): Promise<readonly Said[]> {
  const { tuners } = patient.config;
  return (await Promise.all(tuners.map((tuner) => lookAtServer(tuner, patient)))).flat();
}

async function lookAtServer(
  tuner: TunerConfig,
  { config, secrets, clock }: Patient,
): Promise<readonly Said[]> {
  const { id, kind } = tuner;
  const heard: Facts[] = [];
  const hear = (_message: string, facts: Facts = {}) => void heard.push(facts);
  const log = { debug: () => {}, info: () => {}, warn: hear, error: hear };
  const credentials = (tunerId: string) =>
    secrets instanceof RecorderdError ? undefined : secrets?.tuners?.[tunerId];
  const expected = "what it can receive";
  const todo = `Check its address, that it is switched on, and its password (recorderd tuners login ${id} USER).`;
  try {
    const parts = { clock, log, folder: config.data.folder, credentials };
    const drivers = await openTuners([tuner], parts);
    for (const driver of drivers) await driver[Symbol.asyncDispose]();
    const [complaint] = heard;
    if (complaint === undefined) return [good(`tuner ${id} (${kind}) can be asked`)];
    const { code = "TUNER_UNREACHABLE", text = `tuner ${id}: its server does not answer (${code})` } =
      complaint;
    return [bad({ found: String(text), expected, todo, code: "TUNER_UNREACHABLE" })];
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return [
      bad({
        found: `tuner ${id}: ${error.message}`,
        expected,
        todo: "Name a channel list that is there: recorderd tuners import FILE checks one.",
        code: error.code,
      }),
    ];
  }
}

const RMEM_MAX = "net.core.rmem_max";
/** Segments, logs, sockets and locks of a hundred captures at once. */
const OPEN_FILES_MIN = 1024;

export async function lookAtLimits(patient: Patient): Promise<readonly Said[]> {
  const read = (...names: readonly string[]) => readFile(procFile(patient, ...names), "utf8").catch(() => "");
  const buffer = (await read("sys", ...RMEM_MAX.split("."))).trim();
  const files = /^Max open files\s+\S+\s+(\S+)/m.exec(await read("self", "limits"))?.[1];
  return [
    ...(readsDatagrams(patient.config) ? [receiveBuffer(buffer)] : []),
    files === undefined
      ? unknown("the limit of open files cannot be read")
      : files === "unlimited" || Number(files) >= OPEN_FILES_MIN
        ? good(`${files} files may be open`)
        : bad({
            found: `at most ${files} files may be open`,
            expected: `${OPEN_FILES_MIN} or more`,
            todo: "Raise it: LimitNOFILE in the unit, ulimit -n in a shell.",
          }),
  ];
}

function receiveBuffer(text: string): Said {
  if (text === "") return unknown(`${RMEM_MAX} cannot be read`);
  if (Number(text) >= RECEIVE_BUFFER_BYTES) return good(`${RMEM_MAX} is ${text}`);
  return bad({
    found: `${RMEM_MAX} is ${text}: a busy machine loses packets of UDP and RTP sources`,
    expected: `${RECEIVE_BUFFER_BYTES} or more`,
    todo: `echo ${RMEM_MAX}=${RECEIVE_BUFFER_BYTES} > /etc/sysctl.d/recorderd.conf && sysctl --system`,
  });
}

function readsDatagrams({ tuners }: Config): boolean {
  return tuners.some((tuner) => {
    if (tuner.kind === "url") return tuner.services.some(({ url }) => /^(udp|rtp):/i.test(url));
    return tuner.kind === "dvb" || tuner.kind === "satip";
  });
}
