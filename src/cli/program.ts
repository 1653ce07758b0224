import type { Command } from "commander";
import { completionCommand } from "./completion/completion.ts";
import { backupCommand, restoreCommand } from "./daemon/backup.ts";
import { endCapturesCommand } from "./daemon/end-captures.ts";
import { logsCommand } from "./daemon/logs.ts";
import { notifyCommand } from "./daemon/notify.ts";
import { runCommand } from "./daemon/run.ts";
import { statusCommand } from "./daemon/status.ts";
import { webCommand } from "./daemon/web.ts";
import { guideCommand } from "./guide/guide.ts";
import { keywordsCommand, seriesCommand } from "./guide/guide-series.ts";
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

/** The whole command line. */
export function program(io: CliIo): Command {
  const root: Command = rootOf(io, [
    runCommand(io),
    setupCommand(io),
    checkCommand(io),
    doctorCommand(io),
    endCapturesCommand(io),
    simulateCommand(io),
    broadcasterCommand(io),
    statusCommand(io),
    timersCommand(io),
    seriesCommand(io),
    keywordsCommand(io),
    planCommand(io),
    tunersCommand(io),
    recordingsCommand(io),
    jobsCommand(io),
    whyCommand(io),
    logsCommand(io),
    inspectCommand(io),
    listingCommand(io),
    loginCommand(io),
    notifyCommand(io),
    webCommand(io),
    backupCommand(io),
    restoreCommand(io),
    guideCommand(io),
    guideServerCommand(io),
    checkXmltvCommand(io),
    siteCommand(io),
    completionCommand(io, () => root),
  ]);
  return root;
}
