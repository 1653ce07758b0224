import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * A file that whoever started us hands over: named by `variable`, such as one of Docker's secrets, or of this name among the credentials of
 * a systemd unit (LoadCredential, systemd.exec(5)).
 */
export function handedOverFile(
  { variable, credential }: { readonly variable: string; readonly credential: string },
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const named = env[variable];
  if (named !== undefined && named !== "") return named;
  const folder = env["CREDENTIALS_DIRECTORY"];
  if (folder === undefined || folder === "") return undefined;
  const file = join(folder, credential);
  return existsSync(file) ? file : undefined;
}
