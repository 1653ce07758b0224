import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readFile } from "../../kit/files/steady-fs.ts";
import { bringsDatagrams } from "../../model/source.ts";
import { RECEIVE_BUFFER_BYTES } from "../capture/ffmpeg-arguments.ts";
import { mayUse } from "../config/identity.ts";
import type { Config } from "../config/schema.ts";
import { groupOf } from "../tune/device-group.ts";
import { kindOf } from "../tune/registry.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";
import { procFile } from "./programs.ts";

export async function lookAtCards({ config, machine, who }: CheckContext): Promise<readonly Result[]> {
  const cards = config.tuners.flatMap((tuner) => {
    const card = kindOf(tuner).card?.(tuner);
    return card === undefined ? [] : [{ id: tuner.id, ...card }];
  });
  return Promise.all(
    cards.map(async ({ id, adapter, frontend }) => {
      const device = join(machine.dvb, `adapter${adapter}`, `frontend${frontend}`);
      const expected = `a DVB card that ${who.name} may use`;
      if ((await stat(device).catch(() => undefined)) === undefined) {
        const todo =
          "Plug it in, check with dmesg whether its driver and firmware are loaded, or correct adapter and frontend.";
        return bad({
          found: `tuner ${id}: ${device} is missing`,
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

const RMEM_MAX = "net.core.rmem_max";
/** Segments, logs, sockets and locks of a hundred captures at once. */
const OPEN_FILES_MIN = 1024;

export async function lookAtLimits(patient: CheckContext): Promise<readonly Result[]> {
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

function receiveBuffer(text: string): Result {
  if (text === "") return unknown(`${RMEM_MAX} cannot be read`);
  if (Number(text) >= RECEIVE_BUFFER_BYTES) return good(`${RMEM_MAX} is ${text}`);
  return bad({
    found: `${RMEM_MAX} is ${text}: a busy machine loses packets of UDP and RTP sources`,
    expected: `${RECEIVE_BUFFER_BYTES} or more`,
    todo: `echo ${RMEM_MAX}=${RECEIVE_BUFFER_BYTES} > /etc/sysctl.d/recorderd.conf && sysctl --system`,
  });
}

function readsDatagrams({ tuners }: Config): boolean {
  return tuners.some((tuner) =>
    kindOf(tuner)
      .sources(tuner)
      .some(({ scheme }) => bringsDatagrams(scheme)),
  );
}
