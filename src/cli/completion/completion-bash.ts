import type { CommandFacts, Value } from "./command-table.ts";

/** @see bash(1), Programmable Completion */
export function bashCompletion(table: readonly CommandFacts[]): string {
  return `# Completion of recorderd for bash; made by: recorderd completion bash
_recorderd() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at="" word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$at $word" in
${table
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      ${quoted(` ${path.join(" ")}`)}) at="$at $word" ;;`)
  .join("\n")}
    esac
  done
  case "$at $prev" in
${table.flatMap(valueCases).join("\n")}
  esac
  case "$at" in
${table.map(wordCase).join("\n")}
  esac
}
complete -F _recorderd recorderd
`;
}

function valueCases({ path, options }: CommandFacts): readonly string[] {
  return options.flatMap(({ names, value }) => {
    const reply = replyOf(value);
    if (value.kind === "none") return [];
    const patterns = names.map((name) =>
      quoted([path.length === 0 ? "" : ` ${path.join(" ")}`, name].join(" ")),
    );
    return [`    ${patterns.join(" | ")}) ${reply} return ;;`];
  });
}

function replyOf(value: Value): string {
  if (value.kind === "file") return 'COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null;';
  return value.kind === "words"
    ? `COMPREPLY=($(compgen -W ${quoted(value.words.join(" "))} -- "$cur"));`
    : "";
}

function wordCase({ path, subcommands, options, arguments: given }: CommandFacts): string {
  const flags = options.flatMap(({ names }) => names).join(" ");
  const words = [
    ...subcommands.map(({ name }) => name),
    ...given.flatMap(({ value }) => (value.kind === "words" ? value.words : [])),
  ];
  const files = given.some(({ value }) => value.kind === "file");
  return `    ${quoted(path.length === 0 ? "" : ` ${path.join(" ")}`)})
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ${quoted(flags)} -- "$cur"))
      else COMPREPLY=($(compgen -W ${quoted(words.join(" "))} -- "$cur")${files ? ' $(compgen -f -- "$cur")' : ""})${files ? "; compopt -o filenames 2>/dev/null" : ""}; fi ;;`;
}

/** Quotes a word for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
