import { runInForeground } from "../../kit/process/foreground.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { CliIo } from "../io.ts";

const PLAYERS = ["mpv", "vlc", "ffplay"] as const;

/**
 * Plays a file with the named player, else with the first one installed.
 *
 * @returns its exit code
 * @throws RecorderdError FILE_UNREADABLE if there is no player
 */
export async function play(file: string, player: string | undefined, io: CliIo): Promise<number> {
  const players = player === undefined ? PLAYERS : [player];
  for (const command of players) {
    const end = await runInForeground({ command, args: [file] }, io.signal);
    if (end.how === "ended") return end.code;
  }
  const message = `This machine has no ${players.join(", ")}: install a player, choose one with --player, or open ${file} on another machine.`;
  throw new RecorderdError("FILE_UNREADABLE", message, { file });
}
