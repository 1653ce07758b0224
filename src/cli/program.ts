import type { Command } from "commander";
import { backupCommand, restoreCommand } from "./backup.ts";
import { broadcasterCommand } from "./broadcaster.ts";
import { checkCommand } from "./check.ts";
import { completionCommand } from "./completion.ts";
import { doctorCommand } from "./doctor.ts";
import { endCapturesCommand } from "./end-captures.ts";
import { guideCommand } from "./guide.ts";
import { keywordsCommand, seriesCommand } from "./guide-series.ts";
import { guideServerCommand } from "./guide-server.ts";
import { checkXmltvCommand } from "./guide-server-listings.ts";
import { inspectCommand } from "./inspect.ts";
import type { CliIo } from "./io.ts";
import { jobsCommand } from "./jobs.ts";
import { listingCommand } from "./listing.ts";
import { loginCommand } from "./login.ts";
import { logsCommand } from "./logs.ts";
import { notifyCommand } from "./notify.ts";
import { planCommand } from "./plan.ts";
import { recordingsCommand } from "./recordings.ts";
import { rootOf } from "./root.ts";
import { runCommand } from "./run.ts";
import { setupCommand } from "./setup.ts";
import { simulateCommand } from "./simulate.ts";
import { siteCommand } from "./site.ts";
import { statusCommand } from "./status.ts";
import { timersCommand } from "./timers.ts";
import { tunersCommand } from "./tuners.ts";
import { webCommand } from "./web.ts";
import { whyCommand } from "./why.ts";

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
