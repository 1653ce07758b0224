import type { CommandFacts, Value } from "./command-table.ts";

/** @see fish-completions(7) */
export function fishCompletion(table: readonly CommandFacts[]): string {
  return `# Completion of recorderd for fish; made by: recorderd completion fish
function __recorderd_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${table
        .filter(({ path }) => path.length > 0)
        .map(({ path }) => quoted(` ${path.join(" ")}`))
        .join(" ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c recorderd -f
${table.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, subcommands, options, arguments: given }: CommandFacts): readonly string[] {
  const at = quoted(`__recorderd_at ${quoted(path.length === 0 ? "" : ` ${path.join(" ")}`)}`);
  const line = (rest: string) => `complete -c recorderd -n ${at} ${rest}`;
  return [
    ...subcommands.map(({ name, description }) => line(`-a ${quoted(name)} -d ${quoted(description)}`)),
    ...given.flatMap(({ value }) => {
      if (value.kind === "file") return [line("-F")];
      return value.kind === "words" ? [line(`-a ${quoted(value.words.join(" "))}`)] : [];
    }),
    ...options.map(({ names, description, value }) => {
      const flags = names.map((name) =>
        name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      return line([...flags, `-d ${quoted(description)}`, ...takes(value)].join(" "));
    }),
  ];
}

function takes(value: Value): readonly string[] {
  if (value.kind === "file") return ["-r -F"];
  if (value.kind === "words") return [`-x -a ${quoted(value.words.join(" "))}`];
  return value.kind === "text" ? ["-x"] : [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
