import type { Config } from "./schema.ts";

/** Programs that a recorder runs without being told to. */
const USUAL: readonly string[] = ["ffmpeg", "comskip"];

/**
 * The commands that a configuration brings along, each as one line: whoever takes it from somebody else lets them run here. A new key
 * that names a program belongs here.
 */
export function commandsIn({
  hooks,
  capture,
  jobs,
}: Pick<Config, "hooks" | "capture" | "jobs">): readonly string[] {
  const lines = hooks.map(({ command, shell }) => [...(shell ? ["/bin/sh -c"] : []), ...command].join(" "));
  const programs = [capture.ffmpegPath, jobs.comskipPath].filter((program) => !USUAL.includes(program));
  return [...lines, ...programs];
}
