import { runCommand } from "../daemon/run.ts";
import { rootOf } from "../root.ts";
import { runCommandLine } from "./process.ts";

await runCommandLine((io) => rootOf(io, [runCommand(io)]));
