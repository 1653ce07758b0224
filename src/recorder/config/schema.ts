import { z } from "zod";
import { LOG_LEVELS } from "../../kit/log.ts";
import { DEFAULT_TOLERANCE_MS } from "../../model/clock-trust.ts";
import { DEFAULT_COMPLETE_FROM } from "../../model/policy.ts";
import { SECOND } from "../../model/time.ts";
import { LANGUAGES, type Language } from "../../words/language.ts";
import { parseNameTemplate } from "../capture/name-template.ts";
import { HdhomerunConfig } from "../subsystems/hdhomerun/config.ts";
import { TargetConfig } from "../subsystems/notify/config.ts";
import { kindOf, TunerConfig } from "../tune/registry.ts";
import { Capture, captureEngineMistake } from "./capture-engine.ts";
import { FleetConfig } from "./fleet.ts";
import { Hooks, Jobs, Profile, Retention, Space } from "./keeping.ts";
import { Networks } from "./networks.ts";
import { Playback } from "./playback.ts";
import { Priorities } from "./priorities.ts";
import { AbsolutePath, CronExpression, Seconds, TimeZone } from "./values.ts";
import { Web } from "./web.ts";

const Guide = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "expected an address such as https://guide.example/api" })
    .describe("Base address of the guide service."),
  format: z.enum(["json", "xml"]).default("json").describe("How documents are written on the wire."),
  regionId: z.int().min(1).describe("Region of the account, whose channels name the services."),
  deviceId: z
    .int()
    .min(1)
    .optional()
    .describe("Id of this recorder at the service. Without it, all timers of the account are recorded."),
  sync: CronExpression.default("*/5 * * * *").describe("When to fetch timers from the service (UTC)."),
  caFile: AbsolutePath.optional().describe(
    "Certificates (PEM) of the only authorities to trust for the service. Default: those of Node.js.",
  ),
  broadcast: z
    .boolean()
    .default(true)
    .describe(
      "Whether to gather event tables (EIT) for the guide service. They are sent only to a service that accepts them.",
    ),
  idleTuners: z
    .boolean()
    .default(true)
    .describe(
      "Whether idle tuners visit one multiplex after the other to gather EIT: a minute for each channel, every six hours.",
    ),
  vocabulary: z
    .enum(["observed", "field"])
    .default("observed")
    .describe("The word for a scheduled timer: `waiting` (observed) or `pending` (field)."),
  quarantine: z
    .strictObject({
      shareMin: z
        .number()
        .min(0)
        .max(1)
        .default(0.5)
        .describe(
          "A list with less than this share of the upcoming timers is a short list: it withdraws nothing, and raises an alarm.",
        ),
      confirmPolls: z
        .int()
        .min(1)
        .max(1000)
        .default(3)
        .describe(
          "Number of further polls that must lack a timer before it is withdrawn without a `forget`.",
        ),
      confirmMinutes: z
        .int()
        .min(0)
        .max(1440)
        .default(10)
        .describe("Minimum number of minutes that these polls span."),
    })
    .prefault({})
    .describe("When timers that disappear from the list count as withdrawn."),
});

const Mode = z
  .string()
  .regex(/^0?[0-7]{3}$/, 'expected a mode in quotes, such as "0640"')
  .describe("Permissions, octal, in quotes.");

const Owner = z.union([z.int().min(0).max(0xffff_fffe), z.string().regex(/^[\w.@$-]{1,64}$/)], {
  error: "expected the name or the number of a user or group",
});

const FileName = z
  .string()
  .min(1)
  .max(500)
  .superRefine((template, context) => {
    try {
      parseNameTemplate(template, "UTC");
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      context.addIssue({ code: "custom", message: error.message });
    }
  });

const Recordings = z.strictObject({
  folder: AbsolutePath.describe(
    "Folder that recordings are written to. They stay there unless there is a library.",
  ),
  mountPoint: AbsolutePath.optional().describe("Mount point; recording requires a disk to be mounted there."),
  libraryFolder: AbsolutePath.optional().describe(
    "Folder for finished recordings. It may be on another disk: recordings are copied, read back and compared.",
  ),
  name: FileName.default("{title} - {channel} - {start}").describe(
    "File names without extension: fields in braces, optional parts in brackets, folders before a slash.",
  ),
  nameTimeZone: TimeZone.default("UTC").describe("Time zone of times in file names."),
  owner: z
    .strictObject({
      user: Owner.optional().describe("Name or number; needs the right to change the owner of files."),
      group: Owner.optional(),
      fileMode: Mode.default("0640"),
      folderMode: Mode.default("0750"),
    })
    .prefault({})
    .describe("Owner, group and permissions of finished recordings."),
  sidecars: z
    .strictObject({
      json: z.boolean().default(true).describe("All facts about a recording, with its integrity report."),
      nfo: z.boolean().default(true).describe("Metadata for Kodi and Jellyfin."),
    })
    .prefault({})
    .describe("Sidecar files of each recording."),
  padding: z
    .strictObject({ beforeSeconds: Seconds.default(60), afterSeconds: Seconds.default(180) })
    .prefault({})
    .describe("Extra time around the event, unless a timer sets its own."),
  completeFrom: z
    .number()
    .gt(0)
    .max(1)
    .default(DEFAULT_COMPLETE_FROM)
    .describe("Share of the event that must be on disk for `completed`."),
});

const Follow = z.strictObject({
  extendMinutes: z
    .int()
    .min(0)
    .max(60)
    .default(60)
    .describe(
      "How long a recording may continue beyond its padding while the EIT reports that the event continues. 0: never.",
    ),
  endEarly: z
    .boolean()
    .default(false)
    .describe(
      "Whether a recording ends early, padding included, when the EIT reports that the event is over.",
    ),
});

const Power = z.strictObject({
  wakeMinutesBefore: z
    .int()
    .min(1)
    .max(60)
    .default(2)
    .describe("How long before a recording the machine must be awake."),
  wakeAlarm: z
    .boolean()
    .default(false)
    .describe(
      "Whether the machine's clock wakes it. recorderd-wake.path sets the alarm, which is then read back.",
    ),
  inhibitSleep: z
    .boolean()
    .default(false)
    .describe("Whether to prevent sleep through logind during recordings and shortly before them."),
});

const SITE_ADDRESS = "expected an address such as https://www.example.org, without user and query";

const Site = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: SITE_ADDRESS })
    .regex(/^[^@?#]+$/, SITE_ADDRESS)
    .describe("Address of the content site."),
  check: CronExpression.default("40 4 * * *").describe("When to fetch announcements (UTC)."),
  count: z.int().min(1).max(20).default(3).describe("Number of announcements to show, the newest first."),
});

/** The later of two tuners with one id is the mistake, as is one that conflicts with earlier ones of its kind. */
const Tuners = z
  .array(TunerConfig)
  .min(1)
  .max(64)
  .superRefine((tuners, context) => {
    for (const [index, { id }] of tuners.entries()) {
      if (tuners.findIndex((tuner) => tuner.id === id) === index) continue;
      context.addIssue({ code: "custom", path: [index, "id"], message: "expected an id of its own" });
    }
    for (const [index, tuner] of tuners.entries()) {
      const earlier = tuners.slice(0, index).filter(({ kind }) => kind === tuner.kind);
      const clash = kindOf(tuner).clash?.(tuner, earlier);
      if (clash === undefined) continue;
      context.addIssue({ code: "custom", path: [index, clash.key], message: clash.message });
    }
  });

/** The later of two targets with one id is the mistake. */
const Notify = z
  .array(TargetConfig)
  .max(32)
  .default([])
  .superRefine((targets, context) => {
    for (const [index, { id }] of targets.entries()) {
      if (targets.findIndex((target) => target.id === id) === index) continue;
      context.addIssue({ code: "custom", path: [index, "id"], message: "expected an id of its own" });
    }
  });

const ConfigKeys = z.strictObject({
  guide: Guide,
  recordings: Recordings,
  space: Space,
  retention: Retention,
  hooks: Hooks,
  notify: Notify.describe("Targets of notifications: docs/notifications.md."),
  follow: Follow.prefault({}).describe("How EIT present/following may change the end of a recording."),
  priorities: Priorities,
  repeats: z
    .enum(["offer", "book"])
    .default("offer")
    .describe(
      "What to do with a repeat of an event that is in conflict or was not recorded whole: report it, or also book it.",
    ),
  profile: Profile,
  jobs: Jobs,
  networks: Networks,
  tuners: Tuners.describe("Each entry is one tuner, or several identical ones."),
  data: z
    .strictObject({ folder: AbsolutePath.default("/var/lib/recorderd") })
    .prefault({})
    .describe("Folder for the state that the daemon keeps across restarts."),
  fleet: FleetConfig.optional().describe(
    "Several recorders as one: docs/dev/fleet.md. Without this key, the recorder is on its own.",
  ),
  control: z
    .strictObject({ socket: AbsolutePath.max(107).default("/run/recorderd/control.sock") })
    .prefault({})
    .describe("Control socket for `recorderd status` and other commands."),
  web: Web.optional().describe("The dashboard and the API over HTTP; without this key there is none."),
  hdhomerun: HdhomerunConfig.optional().describe(
    "The recorder as an HDHomeRun, for Plex, Jellyfin, Emby, Channels and Kodi: docs/live.md. Without this key, it is off.",
  ),
  playback: Playback,
  capture: Capture,
  site: Site.optional().describe("A content site whose announcements `recorderd status` shows."),
  traces: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/, error: "expected an address such as http://127.0.0.1:4318/v1/traces" })
        .regex(/^[^@?#]+$/, "expected an address without user and query")
        .describe("Address to post traces to: OTLP over HTTP, in JSON."),
    })
    .optional()
    .describe(
      "An OpenTelemetry receiver, which gets one trace for each timer; without this key, traces are off.",
    ),
  time: z
    .strictObject({
      toleranceSeconds: z
        .int()
        .min(5)
        .max(3600)
        .default(DEFAULT_TOLERANCE_MS / SECOND)
        .describe(
          "Largest accepted difference between the machine's clock and NTP, the guide service or the broadcast.",
        ),
    })
    .prefault({})
    .describe(
      "When to trust the machine's clock. While it is not trusted, no recording is ended or given up.",
    ),
  power: Power.prefault({}).describe("Wake-up and sleep of the machine: docs/running.md."),
  language: z
    .enum(Object.keys(LANGUAGES) as [Language, ...Language[]])
    .default("en")
    .describe(
      "Language of notifications, and of messages to the guide service. In the dashboard, each browser chooses its own.",
    ),
  timeZone: TimeZone.optional().describe("Time zone of times in messages. Default: the system's."),
  log: z.strictObject({ level: z.enum(LOG_LEVELS).default("info") }).prefault({}),
});

/** The configuration file. Secrets are in a separate file (secrets.ts). */
export const Config = ConfigKeys.superRefine(({ capture, tuners }, context) => {
  const message = captureEngineMistake(capture, tuners);
  if (message !== undefined) context.addIssue({ code: "custom", path: ["capture", "engine"], message });
});
export type Config = z.infer<typeof Config>;

/** Keys that belong to one machine. */
const OF_MACHINE = {
  tuners: true,
  data: true,
  control: true,
  web: true,
  hdhomerun: true,
  log: true,
} as const;

/** The keys that all nodes of a fleet have alike. */
export const CommonConfig = ConfigKeys.omit(OF_MACHINE);
export type CommonConfig = z.infer<typeof CommonConfig>;

/** The JSON Schema for editors: config/recorderd.schema.json. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(Config, { io: "input" });
}
