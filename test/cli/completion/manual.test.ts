import type { Command } from "commander";
import { expect, it } from "vitest";
import { commandTable } from "../../../src/cli/completion/command-table.ts";
import { manualPage } from "../../../src/cli/completion/manual.ts";
import type { CliIo } from "../../../src/cli/io.ts";
import { program } from "../../../src/cli/program.ts";

/** Options with a value, as their commands define them: `--port <number>`. */
function optionsWithValues(command: Command): readonly string[] {
  const own = command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags);
  return [...own.filter((flags) => /[<[]/.test(flags)), ...command.commands.flatMap(optionsWithValues)];
}

it("the manual page shows the value that each option takes", async () => {
  // No command runs.
  const root = await program({} as CliIo);
  const page = manualPage(commandTable(root), { version: "1", date: "2026-01-01" });
  const shown = page
    .split("\n")
    .flatMap((line) => /^\.BI "([^,\s]+).*" (\S+)$/.exec(line)?.slice(1).join(" ") ?? []);
  const options = optionsWithValues(root);
  expect(options.length).toBeGreaterThan(100);
  for (const flags of options) {
    const [, name = "", value = ""] = /(--[\w-]+)(?:, -\w)? [<[]([^>\]]+)/.exec(flags) ?? [];
    expect(shown).toContain(`${name} ${value}`.replaceAll("-", "\\-"));
  }
});
