import { Command } from "commander";
import { askDaemon } from "../../recorder/api/ask.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { DEFAULT_SOCKET } from "./status.ts";

/** `recorderd sync`: the running daemon fetches timers and channels from the guide service at once. */
export function syncCommand(io: CliIo): Command {
  return new Command("sync")
    .description("make the running daemon fetch timers and channels from the guide service now")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print the daemon's answer as JSON", false)
    .action(async ({ socket, json }: { readonly socket: string; readonly json: boolean }) => {
      const answer = await askDaemon(socket, { method: "POST", path: "/v1/sync" }, io);
      if (json) return io.print(plainJson(answer));
      io.print("The daemon is asking the guide service: recorderd status shows the result.");
    });
}
