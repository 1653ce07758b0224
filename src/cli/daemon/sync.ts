import { Command } from "commander";
import { askDaemon } from "../../recorder/api/ask.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { DEFAULT_SOCKET } from "./status.ts";

/** `recorderd sync`: the running daemon fetches timers and channels from the guide service at once. */
export function syncCommand(io: CliIo): Command {
  return new Command("sync")
    .description("have the running daemon ask the guide service for timers and channels at once")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print the daemon's answer as JSON", false)
    .action(async ({ socket, json }: { readonly socket: string; readonly json: boolean }) => {
      const answer = await askDaemon(socket, { method: "POST", path: "/v1/sync" }, io);
      if (json) return io.print(plainJson(answer));
      io.print("The guide service is being asked: recorderd status shows the result.");
    });
}
