import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The path of a credential file: named by the environment variable `variable` (for example a Docker secret), or found under
 * `name` among the credentials of a systemd unit (LoadCredential, systemd.exec(5)).
 */
export function credentialFile(
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
