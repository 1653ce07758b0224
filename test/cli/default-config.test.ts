import type { Command } from "commander";
import { expect, it } from "vitest";
import type { CliIo } from "../../src/cli/io.ts";
import { program } from "../../src/cli/program.ts";
import { DEFAULT_CONFIG, setupCommandFor } from "../../src/recorder/config/load.ts";

/** They read a file that is named, wherever it comes from; a configuration only adds to that. */
const DO_WITHOUT = [
  "recorderd inspect",
  "recorderd listing",
  "recorderd tuners scan",
  "recorderd tuners import",
];

function leavesOf(
  command: Command,
  path: string,
): readonly { readonly path: string; readonly leaf: Command }[] {
  if (command.commands.length === 0) return [{ path, leaf: command }];
  return command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`));
}

it("every command that needs the configuration looks for it where setup writes it", async () => {
  const asking = leavesOf(await program({} as CliIo), "recorderd").flatMap(({ path, leaf }) => {
    const option = leaf.options.find(({ long }) => long === "--config");
    return option === undefined ? [] : [{ path, default: option.defaultValue, mandatory: option.mandatory }];
  });
  expect(asking.map(({ path }) => path)).toEqual(
    expect.arrayContaining(
      ["check", "run", "login", "backup", "restore", "guide timers add", "why"].map(
        (name) => `recorderd ${name}`,
      ),
    ),
  );
  for (const { path, default: file, mandatory } of asking) {
    expect({ path, file, mandatory }).toEqual({
      path,
      file: DO_WITHOUT.includes(path) ? undefined : DEFAULT_CONFIG,
      mandatory: false,
    });
  }
});

it("the setup command in the message names the configuration file unless it is the default one", () => {
  expect(setupCommandFor(DEFAULT_CONFIG)).toBe("recorderd setup");
  expect(setupCommandFor("/home/anna/recorder.yaml")).toBe(
    "recorderd setup --config /home/anna/recorder.yaml",
  );
});
