import type { Command } from "commander";
import { completionCommand } from "./completion/completion.ts";
import { backupCommand, restoreCommand } from "./daemon/backup.ts";
import { endCapturesCommand } from "./daemon/end-captures.ts";
import { logsCommand } from "./daemon/logs.ts";
import { notifyCommand } from "./daemon/notify.ts";
import { runCommand } from "./daemon/run.ts";
import { statusCommand } from "./daemon/status.ts";
import { syncCommand } from "./daemon/sync.ts";
import { webCommand } from "./daemon/web.ts";
import { guideCommand } from "./guide/guide.ts";
import { keywordsCommand, seriesCommand } from "./guide/guide-series.ts";
import { cancelCommand, recordCommand } from "./guide/guide-timers.ts";
import { guideServerCommand } from "./guide-server/guide-server.ts";
import { checkXmltvCommand } from "./guide-server/guide-server-listings.ts";
import type { CliIo } from "./io.ts";
import { listingCommand } from "./listing.ts";
import { inspectCommand } from "./recordings/inspect.ts";
import { jobsCommand } from "./recordings/jobs.ts";
import { recordingsCommand } from "./recordings/recordings.ts";
import { rootOf } from "./root.ts";
import { checkCommand } from "./setup/check.ts";
import { doctorCommand } from "./setup/doctor.ts";
import { loginCommand } from "./setup/login.ts";
import { setupCommand } from "./setup/setup.ts";
import { broadcasterCommand } from "./simulator/broadcaster.ts";
import { simulateCommand } from "./simulator/simulate.ts";
import { siteCommand } from "./site/site.ts";
import { planCommand } from "./timers/plan.ts";
import { timersCommand } from "./timers/timers.ts";
import { whyCommand } from "./timers/why.ts";
import { tunersCommand } from "./tuners/tuners.ts";

/** The whole command line: groups of commands, each with its line in `recorderd --help`. */
export function program(io: CliIo): Command {
  const groups: Readonly<Record<string, readonly (readonly [Command, string])[]>> = {
    "Recording:": [
      [recordCommand(io), "record a show, or a channel at a time"],
      [cancelCommand(io), "cancel a timer"],
      [timersCommand(io), "list timers and their states, change one"],
      [seriesCommand(io), "record every episode of a series, once"],
      [keywordsCommand(io), "record every show with a word in its title"],
      [planCommand(io), "show what is recorded on which tuner"],
      [whyCommand(io), "explain what happened to a timer"],
      [recordingsCommand(io), "list, play, keep and delete recordings"],
      [jobsCommand(io), "list conversions and other jobs on recordings"],
    ],
    "The recorder:": [
      [statusCommand(io), "show what the daemon does"],
      [syncCommand(io), "ask the guide service for timers now"],
      [tunersCommand(io), "list, find and scan tuners, map channels"],
      [webCommand(io), "manage access to dashboard and API"],
      [notifyCommand(io), "test notifications, keep their passwords"],
      [logsCommand(io), "show the daemon's log"],
      [runCommand(io), "run the daemon"],
      [endCapturesCommand(io), "end captures that run without a daemon"],
    ],
    "Installation:": [
      [setupCommand(io), "write a configuration, step by step"],
      [checkCommand(io), "check a configuration"],
      [doctorCommand(io), "check the machine, with advice for each fault"],
      [loginCommand(io), "sign in at the guide service"],
      [backupCommand(io), "write everything but recordings to one file"],
      [restoreCommand(io), "restore such a file"],
      [completionCommand(io, () => root), "print completions for a shell"],
    ],
    "Guide service and site:": [
      [guideCommand(io), "query and edit the account at the guide service"],
      [guideServerCommand(io), "run a guide service of your own"],
      [checkXmltvCommand(io), "check an XMLTV listing"],
      [siteCommand(io), "read and edit the content site"],
    ],
    "Streams and simulation:": [
      [inspectCommand(io), "analyse a transport stream file"],
      [listingCommand(io), "print the event tables of a file as XMLTV"],
      [simulateCommand(io), "run the recorder in a simulation"],
      [broadcasterCommand(io), "broadcast a listing to mock tuners"],
    ],
  };
  const commands = Object.entries(groups).flatMap(([heading, members]) =>
    members.map(([command, summary]) => command.summary(summary).helpGroup(heading)),
  );
  const root: Command = rootOf(io, commands);
  return root;
}
