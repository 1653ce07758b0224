import type { z } from "zod";
import { RecorderdError } from "../../model/errors.ts";
import { mistakesOf, pathText } from "./mistakes.ts";
import { Config, configJsonSchema } from "./schema.ts";
import { readYamlFile, type YamlFile } from "./yaml-file.ts";

/** The default path: setup writes it, and every command reads it unless another one is given. */
export const DEFAULT_CONFIG = "/etc/recorderd/recorderd.yaml";

/** The command to run if there is no configuration in `file` yet. */
export function setupCommandFor(file: string): string {
  return file === DEFAULT_CONFIG ? "recorderd setup" : `recorderd setup --config ${file}`;
}

/**
 * Reads the configuration. Environment variables override nothing.
 *
 * @throws RecorderdError FILE_UNREADABLE if there is no such file
 * @throws RecorderdError CONFIG_INVALID naming every mistake, each with its line, its path, the expected and the actual value
 */
export async function loadConfig(file: string): Promise<Config> {
  return (await readConfig(file)).config;
}

/** Reads the configuration as `loadConfig` does. @returns it with the defaults, and the keys as they are in the file */
export async function readConfig(
  file: string,
): Promise<{ readonly config: Config; readonly keys: z.input<typeof Config> }> {
  const yaml = await readYamlFile(file);
  if (yaml === undefined) {
    const message = `There is no configuration ${file}: run ${setupCommandFor(file)}.`;
    throw new RecorderdError("FILE_UNREADABLE", message, { file });
  }
  const parsed = Config.safeParse(yaml.data);
  // The check has proven the keys.
  if (parsed.success) return { config: parsed.data, keys: yaml.data as z.input<typeof Config> };
  throw refusal(yaml, parsed.error.issues);
}

function refusal(yaml: YamlFile, issues: readonly z.core.$ZodIssue[]): RecorderdError {
  const mistakes = mistakesOf(issues, yaml.data, configJsonSchema())
    .map(({ path, text }) => ({ line: yaml.lineOf(path) ?? 1, text: `${pathText(path)}: ${text}` }))
    .sort((a, b) => a.line - b.line);
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  const list = mistakes.map(({ line, text }) => `  line ${line}: ${text}`).join("\n");
  return new RecorderdError("CONFIG_INVALID", `${yaml.file} has ${count}:\n${list}`, {
    file: yaml.file,
    mistakes: mistakes.length,
  });
}
