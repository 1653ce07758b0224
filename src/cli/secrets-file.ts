import { Option } from "commander";
import { askSnapshot } from "../recorder/api/ask.ts";
import type { Config } from "../recorder/config/schema.ts";
import { handedOver, refuseHandedOver, secretsFile } from "../recorder/config/secrets.ts";
import type { CliIo } from "./io.ts";

type Parts = Pick<CliIo, "clock" | "signal">;

/** `--secrets` of commands that change the secrets of the daemon. */
export function secretsOption(): Option {
  return new Option(
    "--secrets <file>",
    "secrets file to change, such as the original of a systemd credential (default: the daemon's)",
  );
}

/**
 * The secrets file that a command may change. Only the daemon knows whether systemd hands it another one than that of the data
 * folder; a daemon that starts later warns of a file that it ignores.
 *
 * @param chosen the file of `--secrets`
 * @throws RecorderdError WRITE_FAILED if the daemon's file is handed over
 */
export async function secretsToChange(
  io: Parts,
  { data, control }: Pick<Config, "data" | "control">,
  chosen: string | undefined,
): Promise<string> {
  if (chosen !== undefined) return chosen;
  await refuseIfHandedOver(io, control.socket);
  return secretsFile(data.folder);
}

/** @throws RecorderdError WRITE_FAILED if the daemon behind the socket, or this command, got the secrets from another program */
export async function refuseIfHandedOver(io: Parts, socket: string): Promise<void> {
  refuseHandedOver(await handedOverSecrets(io, socket));
}

/** The path of the secrets file that another program hands to the daemon behind the socket, or to this command, if any. */
export async function handedOverSecrets(io: Parts, socket: string): Promise<string | undefined> {
  const own = handedOver();
  if (own !== undefined) return own;
  const snapshot = await askSnapshot(socket, io).catch(() => undefined);
  io.signal.throwIfAborted();
  return snapshot?.handedOverSecrets;
}
