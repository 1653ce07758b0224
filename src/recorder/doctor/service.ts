import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readFile } from "../../kit/files/steady-fs.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import { askSnapshot } from "../api/ask.ts";
import { mayUse } from "../config/identity.ts";
import type { Config } from "../config/schema.ts";
import { kindOf } from "../tune/registry.ts";
import type { CheckContext, DaemonAnswer } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";
import { procFile } from "./programs.ts";
import { lastOf, readUnit, type UnitSettings } from "./unit-file.ts";

export async function lookAtDaemon(
  { control: { socket } }: Config,
  parts: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<DaemonAnswer> {
  try {
    return { version: (await askSnapshot(socket, parts)).version };
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return {};
  }
}

export async function lookAtControl(patient: CheckContext): Promise<readonly Result[]> {
  const { config, who, daemon } = patient;
  const { socket } = config.control;
  const { version } = await daemon();
  if (version === VERSION) return [good(`the daemon answers on ${socket}`)];
  if (version !== undefined) {
    const expected = `a daemon of this version, ${VERSION}`;
    const todo = "Restart it: systemctl restart recorderd. Captures continue meanwhile.";
    return [bad({ found: `the running daemon is recorderd ${version}`, expected, todo })];
  }
  const holder = await lockHolder(patient);
  if (holder !== undefined) {
    return [
      bad({
        found: `${holder} uses ${config.data.folder}, but nothing answers on ${socket}`,
        expected: "a daemon that answers, or no daemon",
        todo: "Read its log: recorderd logs. If it hangs: systemctl restart recorderd.",
        code: "STORE_LOCKED",
      }),
    ];
  }
  const folder = dirname(socket);
  if (folder === RUNTIME_FOLDER) return [unknown("no daemon runs")];
  const isThere = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  if (isThere && (await mayUse(folder, "enter-write", who))) return [unknown("no daemon runs")];
  return [
    bad({
      found: isThere ? `${who.name} may not write to ${folder}` : `there is no folder ${folder}`,
      expected: `a folder for the control socket that ${who.name} may write to (control.socket)`,
      todo: `Make it: install -d -o ${who.name} ${folder}, or remove the socket from the configuration.`,
      code: "WRITE_FAILED",
    }),
  ];
}

/** The unit creates it at its start. */
const RUNTIME_FOLDER = "/run/recorderd";

/** The holder of the data folder's lock. Read from /proc: taking the lock could stop a starting daemon. */
async function lockHolder(patient: CheckContext): Promise<string | undefined> {
  const file = join(patient.config.data.folder, "daemon.lock");
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  const locks = await readFile(procFile(patient, "locks"), "utf8").catch(() => "");
  const ours = new RegExp(`FLOCK\\s+ADVISORY\\s+WRITE\\s+(\\d+)\\s+\\S+:${found.ino}\\s`);
  if (!ours.test(locks)) return undefined;
  const [pid] = /^\d+/.exec(await readFile(file, "utf8").catch(() => "")) ?? [];
  return pid === undefined ? "another process" : `process ${pid}`;
}

export async function lookAtUnit(patient: CheckContext): Promise<readonly Result[]> {
  const { machine, file } = patient;
  const unit = await installedUnit(machine.unitFolders);
  if (unit === undefined) return [unknown("recorderd is not installed as a systemd unit")];
  const settings = readUnit(unit.texts);
  const start = lastOf(settings, "Service.ExecStart") ?? "";
  const ours = await readFile(machine.ownUnit, "utf8").catch(() => unit.text);
  const isForeign = !start.includes(file);
  const faults = isForeign ? [] : UNIT_FAULTS.flatMap((fault) => fault(settings, patient));
  const from = unit.dropIns.length === 0 ? unit.path : `${unit.path} and ${unit.dropIns.join(", ")}`;
  const said = faults.map(({ found, expected }) => {
    const todo = "Correct it: systemctl edit recorderd, then systemctl restart recorderd.";
    return bad({ found: `${from}: ${found}`, expected, todo });
  });
  if (unit.text !== ours) {
    said.unshift(
      bad({
        found: `${unit.path} is not the unit of this version`,
        expected: `the content of ${machine.ownUnit}, with changes only in drop-ins`,
        todo: `install -m 0644 ${machine.ownUnit} ${unit.path} && systemctl daemon-reload; own changes: systemctl edit recorderd`,
      }),
    );
  }
  if (said.length > 0) return said;
  return [
    isForeign
      ? unknown(`${unit.path} uses a different configuration, not ${file}`)
      : good(`${from} is correct`),
  ];
}

export async function unitUser(folders: readonly string[]): Promise<string | undefined> {
  const unit = await installedUnit(folders);
  return unit === undefined ? undefined : lastOf(readUnit(unit.texts), "Service.User");
}

interface InstalledUnit {
  readonly path: string;
  readonly text: string;
  readonly dropIns: readonly string[];
  /** The unit, then its drop-ins. */
  readonly texts: readonly string[];
}

const UNIT = "recorderd.service";

async function installedUnit(folders: readonly string[]): Promise<InstalledUnit | undefined> {
  for (const folder of folders) {
    const path = join(folder, UNIT);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const dropIns = await dropInsOf(folders);
    const more = await Promise.all(dropIns.map((dropIn) => readFile(dropIn, "utf8").catch(() => "")));
    return { path, text, dropIns, texts: [text, ...more] };
  }
  return undefined;
}

/** In order of their names; for equal names, the first folder wins. */
async function dropInsOf(folders: readonly string[]): Promise<readonly string[]> {
  const byName = new Map<string, string>();
  for (const folder of folders) {
    const place = join(folder, `${UNIT}.d`);
    for (const name of await readdir(place).catch(() => [])) {
      if (name.endsWith(".conf") && !byName.has(name)) byName.set(name, join(place, name));
    }
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
}

type UnitFault = (
  settings: UnitSettings,
  patient: CheckContext,
) => readonly Pick<Required<Result>, "found" | "expected">[];

/** Settings that a drop-in may break without a warning from systemd. */
const UNIT_FAULTS: readonly UnitFault[] = [
  mustBe("Type", "notify", "systemd would not wait until the daemon is ready"),
  mustBe("KillMode", "process", "each restart would end running recordings"),
  mayNotBe("NotifyAccess", "none", "systemd would not learn that the daemon is ready, and would kill it"),
  mayNotBe("PrivateNetwork", "yes", "the daemon could reach neither guide service nor tuners"),
  (settings, { config }) =>
    config.tuners.some((tuner) => kindOf(tuner).card?.(tuner) !== undefined)
      ? mayNotBe("PrivateDevices", "yes", "the daemon could not see DVB cards")(settings)
      : [],
  (settings) =>
    lastOf(settings, "Service.ExecStart")?.includes("recorderd-with-notify") === true
      ? []
      : [
          {
            found: "ExecStart does not go through recorderd-with-notify",
            expected:
              "ExecStart=… recorderd-with-notify recorderd run …, so that systemd learns when the daemon is ready",
          },
        ],
  (settings, { config }) => unwritable(settings, config),
];

function mustBe(
  key: string,
  value: string,
  otherwise: string,
): (settings: UnitSettings) => ReturnType<UnitFault> {
  return (settings) => {
    const found = lastOf(settings, `Service.${key}`);
    return found === value
      ? []
      : [{ found: `${key}=${found ?? ""}`, expected: `${key}=${value}: ${otherwise}` }];
  };
}

function mayNotBe(
  key: string,
  value: string,
  otherwise: string,
): (settings: UnitSettings) => ReturnType<UnitFault> {
  return (settings) =>
    lastOf(settings, `Service.${key}`) === value
      ? [{ found: `${key}=${value}`, expected: `no ${key}=${value}: ${otherwise}` }]
      : [];
}

/** Configured folders that the unit makes read-only. */
function unwritable(settings: UnitSettings, { recordings, data }: Config): ReturnType<UnitFault> {
  if (!["strict", "full"].includes(lastOf(settings, "Service.ProtectSystem") ?? "")) return [];
  const words = (key: string) => (settings.get(`Service.${key}`) ?? []).join(" ").split(/\s+/);
  const open = [
    ...words("ReadWritePaths").map((path) => path.replace(/^[-+]+/, "")),
    ...words("StateDirectory").map((name) => `/var/lib/${name.split(":")[0]}`),
  ].filter((path) => path.startsWith("/") && path !== "/var/lib/");
  const { folder, libraryFolder = folder } = recordings;
  const isOpen = (path: string) =>
    open.some((each) => path === each || path.startsWith(`${each.replace(/\/$/, "")}/`));
  return [...new Set([folder, libraryFolder, data.folder])]
    .filter((path) => !isOpen(path))
    .map((path) => ({
      found: `the unit does not let the daemon write to ${path}`,
      expected: `[Service] ReadWritePaths=${path}`,
    }));
}
