// The import rules: a folder may import itself and the entries listed here, nothing else. `npm run imports` checks them,
// `scripts/make-docs.mjs` prints them in docs/dev/imports.md. A folder named here is not part of its parent.

/** Imports neither Node.js nor packages, and of ours only folders that are pure too. */
const pure = (...imports) => ({ pure: true, imports });
/** Packages that only compute may be imported as well. */
const pureWith = (packages, ...imports) => ({ ...pure(...imports), packages });
const acts = (...imports) => ({ pure: false, imports });

export const FOLDERS = {
  model: pure(),
  kit: acts("model/errors.ts", "model/time.ts", "model/clock-trust.ts"),
  "mpeg-ts": acts("model", "kit"),
  "guide-wire": acts("model", "kit"),
  web: acts("model", "kit"),
  words: pureWith(["@fluent/bundle"], "model"),
  migration: acts(
    ...["model", "kit", "mpeg-ts", "recorder/tune/channel-lists/vdr.ts", "rules/read-order.ts"],
  ),
  rules: acts("model", "kit"),
  site: acts("model", "kit"),
  "guide-server": acts("model", "kit", "guide-wire", "rules", "web"),
  dashboard: acts("model", "words", "recorder/api/picture.ts"),

  "recorder/plan": pure("model"),
  "recorder/sync/core": pure("model"),
  "recorder/report/core": pure("model", "words"),
  "recorder/subsystems/hdhomerun/core": pure("model"),
  "recorder/subsystems/library/core": pure("model"),
  "recorder/subsystems/notify/core": pure("model"),
  "recorder/subsystems/power/core": pure("model"),
  "recorder/engine/core": pure(
    "model",
    "recorder/plan",
    "recorder/report/core",
    "recorder/subsystems/library/core",
    "recorder/sync/core",
    "words",
  ),

  "recorder/sync": acts("model", "kit", "recorder/sync/core"),
  "recorder/report": acts("model", "kit", "recorder/report/core", "words"),
  "recorder/tune": acts("model", "kit", "mpeg-ts", "recorder/subsystems/hdhomerun/core"),
  "recorder/evidence": acts("model", "kit", "mpeg-ts"),
  "recorder/capture": acts("model", "kit", "mpeg-ts"),
  "recorder/engine/runtime": acts(
    "model",
    "kit",
    "recorder/capture",
    "recorder/engine/core",
    "recorder/evidence",
    "recorder/plan",
    "recorder/report",
    "recorder/sync",
    "recorder/sync/core",
    "words",
  ),
  "recorder/threads": acts("model", "kit", "guide-wire", "recorder/evidence", "recorder/plan"),
  "recorder/store": acts("model", "kit", "guide-wire"),
  "recorder/config": acts(
    ...["model", "kit", "recorder/capture", "recorder/subsystems/hdhomerun/config.ts"],
    ...["recorder/subsystems/notify", "recorder/tune", "words"],
  ),

  "recorder/subsystems/library": acts(
    ...["model", "kit", "mpeg-ts", "recorder/capture", "recorder/config", "recorder/evidence"],
    ...["recorder/store", "recorder/subsystems/library/core"],
  ),
  "recorder/subsystems/playback": acts(
    ...[
      "model",
      "kit",
      "mpeg-ts",
      "recorder/api/daemon-api.ts",
      "recorder/capture",
      "recorder/engine/runtime",
    ],
    ...["recorder/subsystems/library", "recorder/subsystems/library/core"],
  ),
  "recorder/subsystems/progress": acts("model", "kit", "recorder/api/daemon-api.ts", "recorder/store"),
  "recorder/subsystems/hdhomerun": acts(
    ...["model", "kit", "web", "recorder/api/daemon-api.ts", "recorder/subsystems/hdhomerun/core"],
  ),
  "recorder/subsystems/probe": acts(
    ...[
      "model",
      "kit",
      "recorder/capture",
      "recorder/config",
      "recorder/engine/runtime",
      "recorder/evidence",
    ],
    ...["recorder/tune"],
  ),
  "recorder/subsystems/gather": acts(
    ...[
      "model",
      "kit",
      "guide-wire",
      "mpeg-ts",
      "recorder/capture",
      "recorder/config",
      "recorder/engine/runtime",
    ],
    ...["recorder/evidence"],
  ),
  "recorder/subsystems/booking": acts(
    ...["model", "kit", "guide-wire", "recorder/config", "rules", "web"],
    "recorder/store",
  ),
  "recorder/subsystems/notify": acts(
    ...["model", "kit", "recorder/api/daemon-api.ts", "recorder/config", "recorder/store"],
    ...["recorder/subsystems/notify/core", "words"],
  ),
  "recorder/subsystems/traces": acts("model", "kit", "recorder/config"),
  "recorder/subsystems/power": acts(
    ...["model", "kit", "recorder/config", "recorder/plan", "recorder/subsystems/power/core"],
  ),

  "recorder/fleet": acts(
    ...["model", "kit", "recorder/capture/engine.ts", "recorder/capture/files.ts", "recorder/config"],
    ...["recorder/capture/attempt-notes.ts", "recorder/capture/storage.ts", "recorder/store"],
  ),
  "recorder/api": acts("model", "kit", "web", "words"),
  backup: acts(
    ...["model", "kit", "guide-server", "recorder/config", "recorder/engine/core", "recorder/engine/runtime"],
    ...["recorder/store", "recorder/subsystems/library/core"],
  ),
  "recorder/doctor": acts(
    ...["model", "kit", "guide-wire", "recorder/api", "recorder/capture", "recorder/config"],
    ...[
      "recorder/fleet",
      "recorder/setup",
      "recorder/subsystems/library",
      "recorder/subsystems/library/core",
      "recorder/subsystems/power",
      "recorder/tune",
    ],
  ),
  "recorder/setup": acts(
    ...["model", "kit", "guide-wire", "web", "recorder/api", "recorder/config", "recorder/subsystems/probe"],
    ...["recorder/fleet", "recorder/tune", "words"],
  ),
  /** The daemon: it puts the rest together. */
  recorder: acts(
    ...["model", "kit", "guide-wire", "site", "web", "recorder/api", "recorder/capture", "recorder/config"],
    ...["recorder/engine/core", "recorder/engine/runtime", "recorder/evidence", "recorder/plan"],
    ...["recorder/fleet", "recorder/report/core", "recorder/store", "recorder/sync", "recorder/sync/core"],
    ...["recorder/threads", "recorder/tune", "recorder/subsystems/booking", "recorder/subsystems/gather"],
    ...["recorder/subsystems/hdhomerun", "recorder/subsystems/library", "recorder/subsystems/notify"],
    ...[
      "recorder/subsystems/playback",
      "recorder/subsystems/power",
      "recorder/subsystems/probe",
      "recorder/subsystems/progress",
      "recorder/subsystems/traces",
    ],
  ),

  simulator: acts(
    ...["model", "kit", "mpeg-ts", "guide-server", "guide-wire", "recorder", "recorder/config"],
    ...["recorder/engine/core", "recorder/engine/runtime", "recorder/evidence", "recorder/plan"],
    ...["recorder/capture/limits.ts", "recorder/capture/engine.ts", "recorder/fleet", "recorder/store"],
    ...["recorder/subsystems/gather", "recorder/sync/core", "words"],
  ),
  cli: acts(
    ...["model", "kit", "mpeg-ts", "guide-server", "guide-wire", "simulator", "site", "web", "recorder"],
    ...["recorder/api", "backup", "recorder/capture", "recorder/config", "recorder/doctor"],
    ...["recorder/engine/core", "recorder/engine/runtime", "recorder/evidence"],
    ...["recorder/report/core", "recorder/setup", "recorder/store", "recorder/subsystems/library"],
    ...["recorder/subsystems/library/core", "recorder/subsystems/notify", "recorder/subsystems/power"],
    ...["recorder/subsystems/power/core", "recorder/fleet"],
    ...["recorder/subsystems/probe", "recorder/tune", "migration", "words"],
  ),
  "main.ts": acts("cli", "kit"),
};

const NAMES = Object.keys(FOLDERS).sort((a, b) => b.length - a.length);

/** The folder of the table that a file of src is part of, the deepest one. @param path relative to src */
export function folderOf(path) {
  return NAMES.find((name) => path === name || path.startsWith(`${name}/`));
}

/** Whether the table lets one file of src import another. */
export function mayImport(from, to) {
  const [own, other] = [folderOf(from), folderOf(to)];
  if (own === undefined || other === undefined) return false;
  return own === other || FOLDERS[own].imports.some((name) => name === other || name === to);
}
