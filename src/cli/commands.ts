import type { Command } from "commander";
import type { CliIo } from "./io.ts";

/** A command of the program. Its code is loaded when it is called or described in full: one command needs a fraction of it. */
export interface CommandEntry {
  /** Its line in `recorderd --help`. */
  readonly summary: string;
  /** Its arguments, as that line names them. */
  readonly takes?: string;
  /** @param all makes the program with all commands, for what describes them */
  readonly load: (io: CliIo, all: () => Promise<Command>) => Promise<Command>;
}

/** All commands by their names, in groups as `recorderd --help` shows them. */
export const COMMANDS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  "Recording:": {
    record: {
      summary: "record a show, or a channel at a given time",
      load: async (io) => (await import("./guide/guide-timers.ts")).recordCommand(io),
    },
    cancel: {
      summary: "cancel a timer",
      takes: "<id>",
      load: async (io) => (await import("./guide/guide-timers.ts")).cancelCommand(io),
    },
    timers: {
      summary: "list and change timers",
      load: async (io) => (await import("./timers/timers.ts")).timersCommand(io),
    },
    series: {
      summary: "record every episode of a series, once",
      load: async (io) => (await import("./guide/guide-series.ts")).seriesCommand(io),
    },
    keywords: {
      summary: "record every show with a word in its title",
      load: async (io) => (await import("./guide/guide-series.ts")).keywordsCommand(io),
    },
    rules: {
      summary: "record every show that matches a rule",
      load: async (io) => (await import("./rules/rules.ts")).rulesCommand(io),
    },
    plan: {
      summary: "show what is recorded on which tuner",
      load: async (io) => (await import("./timers/plan.ts")).planCommand(io),
    },
    why: {
      summary: "explain what happened to a timer",
      takes: "<timer>",
      load: async (io) => (await import("./timers/why.ts")).whyCommand(io),
    },
    recordings: {
      summary: "list, play, protect and delete recordings",
      load: async (io) => (await import("./recordings/recordings.ts")).recordingsCommand(io),
    },
    jobs: {
      summary: "list conversions and other jobs on recordings",
      load: async (io) => (await import("./recordings/jobs.ts")).jobsCommand(io),
    },
  },
  "The recorder:": {
    status: {
      summary: "show what the daemon is doing",
      load: async (io) => (await import("./daemon/status.ts")).statusCommand(io),
    },
    sync: {
      summary: "fetch timers from the guide service now",
      load: async (io) => (await import("./daemon/sync.ts")).syncCommand(io),
    },
    tuners: {
      summary: "list, find and scan tuners, map channels",
      load: async (io) => (await import("./tuners/tuners.ts")).tunersCommand(io),
    },
    web: {
      summary: "manage access to the dashboard and the API",
      load: async (io) => (await import("./daemon/web.ts")).webCommand(io),
    },
    notify: {
      summary: "test notifications, store their passwords",
      load: async (io) => (await import("./daemon/notify.ts")).notifyCommand(io),
    },
    fleet: {
      summary: "show which recorder of a fleet leads",
      load: async (io) => (await import("./fleet/fleet.ts")).fleetCommand(io),
    },
    logs: {
      summary: "show the daemon's log",
      load: async (io) => (await import("./daemon/logs.ts")).logsCommand(io),
    },
    run: {
      summary: "run the daemon",
      load: async (io) => (await import("./daemon/run.ts")).runCommand(io),
    },
    "end-captures": {
      summary: "end captures that run without a daemon",
      load: async (io) => (await import("./daemon/end-captures.ts")).endCapturesCommand(io),
    },
  },
  "Installation:": {
    setup: {
      summary: "write a configuration, step by step",
      load: async (io) => (await import("./setup/setup.ts")).setupCommand(io),
    },
    check: {
      summary: "check a configuration",
      load: async (io) => (await import("./setup/check.ts")).checkCommand(io),
    },
    doctor: {
      summary: "find what is missing, with advice",
      load: async (io) => (await import("./setup/doctor.ts")).doctorCommand(io),
    },
    login: {
      summary: "sign in to the guide service",
      takes: "<email>",
      load: async (io) => (await import("./setup/login.ts")).loginCommand(io),
    },
    backup: {
      summary: "back up everything except recordings",
      takes: "<file>",
      load: async (io) => (await import("./daemon/backup.ts")).backupCommand(io),
    },
    restore: {
      summary: "restore a backup",
      takes: "<file>",
      load: async (io) => (await import("./daemon/backup.ts")).restoreCommand(io),
    },
    import: {
      summary: "import from another recorder",
      load: async (io) => (await import("./import/import.ts")).importCommand(io),
    },
    completion: {
      summary: "print completions for a shell",
      takes: "<shell>",
      load: async (io, all) => (await import("./completion/completion.ts")).completionCommand(io, all),
    },
  },
  "Guide service and site:": {
    guide: {
      summary: "query and edit the guide service account",
      load: async (io) => (await import("./guide/guide.ts")).guideCommand(io),
    },
    "guide-server": {
      summary: "run a guide service of your own",
      load: async (io) => (await import("./guide-server/guide-server.ts")).guideServerCommand(io),
    },
    "check-xmltv": {
      summary: "check an XMLTV listing",
      takes: "<file>",
      load: async (io) => (await import("./guide-server/guide-server-listings.ts")).checkXmltvCommand(io),
    },
    site: {
      summary: "read and edit the content site",
      load: async (io) => (await import("./site/site.ts")).siteCommand(io),
    },
  },
  "Streams and simulation:": {
    inspect: {
      summary: "analyse a transport stream file",
      takes: "<file>",
      load: async (io) => (await import("./recordings/inspect.ts")).inspectCommand(io),
    },
    listing: {
      summary: "print the event tables of a file as XMLTV",
      takes: "<file>",
      load: async (io) => (await import("./listing.ts")).listingCommand(io),
    },
    simulate: {
      summary: "run the recorder in a simulation",
      load: async (io) => (await import("./simulator/simulate.ts")).simulateCommand(io),
    },
    broadcaster: {
      summary: "broadcast a listing to mock tuners",
      load: async (io) => (await import("./simulator/broadcaster.ts")).broadcasterCommand(io),
    },
  },
};
