import { calledProgram } from "../program.ts";
import { runCommandLine } from "./process.ts";

await runCommandLine((io) => calledProgram(io, process.argv.slice(2)));
