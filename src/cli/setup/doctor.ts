import { Command } from "commander";
import { VERSION } from "../../kit/version.ts";
import { examine } from "../../recorder/doctor/examine.ts";
import type { Finding } from "../../recorder/doctor/finding.ts";
import { THIS_MACHINE } from "../../recorder/doctor/machine.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine, plainLines, wrapped } from "../plain-text.ts";

/** A check failed. */
const EXIT_FAULT = 1;

/** `recorderd doctor`: checks everything that a recorder needs, with or without a running daemon. Changes nothing. */
export function doctorCommand(io: CliIo): Command {
  return new Command("doctor")
    .description(
      "check whether this machine has everything that recording needs; names a remedy for each fault (exit 1 if there is one)",
    )
    .addOption(configOption("configuration of the recorder"))
    .option("--json", "print the findings as one JSON document", false)
    .addHelpText(
      "after",
      "\nAs root, it checks the rights of the user that owns the data folder: the daemon runs as that user.",
    )
    .action(async ({ config: file, json }: { readonly config: string; readonly json: boolean }) => {
      const findings = await examine({ file, machine: THIS_MACHINE, clock: io.clock }, io.signal);
      const faults = findings.filter(({ verdict }) => verdict === "bad").length;
      if (faults > 0) io.exitCode(EXIT_FAULT);
      if (json) return io.print(plainJson({ version: VERSION, faults, findings }));
      io.print(findings.map((finding) => findingText(finding, io.columns)).join("\n"));
      io.print(faults === 0 ? "\nNo faults." : `\n${faults === 1 ? "One fault" : `${faults} faults`}.`);
    });
}

const MARKS: Readonly<Record<Finding["verdict"], string>> = { good: "ok", bad: "FAULT", unknown: "-" };
const INDENT = 22;

function findingText(finding: Finding, columns = 100): string {
  const { check, verdict, found, expected, todo, code } = finding;
  const head = `${MARKS[verdict].padEnd(7)}${check.padEnd(INDENT - 7)}`;
  const texts = [
    ...plainLines(code === undefined ? found : `${found} [${code}]`).split("\n"),
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(todo === undefined ? [] : [`→ ${todo}`]),
  ];
  const room = Math.max(30, columns - INDENT);
  const lines = texts.flatMap((text) => wrapped(plainLine(text), room));
  return lines.map((line, at) => `${at === 0 ? head : " ".repeat(INDENT)}${line}`).join("\n");
}
