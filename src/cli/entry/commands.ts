import { program } from "../program.ts";
import { runCommandLine } from "./process.ts";

await runCommandLine((io) => program(io, process.argv[2]));
