import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { stringify } from "yaml";
import { DurableFile, previousOf } from "../../kit/files/durable-file.ts";
import { makeFolder } from "../../kit/files/make-folder.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { mistakesOf, pathText } from "./mistakes.ts";
import { Config, configJsonSchema } from "./schema.ts";

const HEAD = `# Configuration of recorderd, written by \`recorderd setup\`. Missing keys have the defaults in docs/reference.md.
# Secrets do not belong here: \`recorderd login\` stores them in their own file.
`;

/** @throws RecorderdError CONFIG_INVALID naming every mistake */
export function checkConfig(data: unknown): Config {
  const parsed = Config.safeParse(data);
  if (parsed.success) return parsed.data;
  const mistakes = mistakesOf(parsed.error.issues, data, configJsonSchema());
  const list = mistakes.map(({ path, text }) => `  ${pathText(path)}: ${text}`).join("\n");
  throw new RecorderdError("CONFIG_INVALID", `The configuration would be invalid:\n${list}`);
}

/**
 * Replaces a configuration atomically; the previous one stays next to it as `<name>.previous`.
 *
 * @throws RecorderdError CONFIG_INVALID, DISK_FULL or WRITE_FAILED
 */
export async function writeConfig(file: string, data: unknown): Promise<void> {
  checkConfig(data);
  try {
    await makeFolder(dirname(file), 0o755);
  } catch (error) {
    const message = `${dirname(file)} cannot be created (${systemCode(error)}): choose another place with --config, or run this command as root.`;
    throw new RecorderdError("WRITE_FAILED", message, { file }, { cause: error });
  }
  await new DurableFile({ file, mode: 0o644 }).replace(HEAD + stringify(data));
  // Only for the owner: a configuration written by hand may contain addresses with passwords.
  await chmod(previousOf(file), 0o600).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return;
    throw new RecorderdError(
      "WRITE_FAILED",
      `${previousOf(file)} cannot be protected from other users.`,
      { file },
      { cause: error },
    );
  });
}
