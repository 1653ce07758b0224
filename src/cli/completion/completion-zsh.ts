import type { CommandFacts, OptionFacts, Value } from "./command-table.ts";

/** @see zshcompsys(1) */
export function zshCompletion(table: readonly CommandFacts[]): string {
  return `#compdef recorderd
# Completion of recorderd for zsh; made by: recorderd completion zsh
_recorderd() {
  local at="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${table
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      (${quoted(` ${path.join(" ")}`)}) at="$at $word" ;;`)
  .join("\n")}
    esac
  done
  local previous="\${words[CURRENT-1]}"
  local -a found
  case "$at $previous" in
${table.flatMap(valueCases).join("\n")}
  esac
  case "$at" in
${table.map(wordCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = _recorderd ]; then _recorderd "$@"; else compdef _recorderd recorderd; fi
`;
}

function valueCases({ path, options }: CommandFacts): readonly string[] {
  return options.flatMap(({ names, value }) => {
    if (value.kind === "none") return [];
    const at = path.length === 0 ? "" : ` ${path.join(" ")}`;
    const patterns = names.map((name) => quoted(`${at} ${name}`)).join("|");
    return [`    (${patterns}) ${replyOf(value)} return ;;`];
  });
}

function replyOf(value: Value): string {
  if (value.kind === "file") return "_files;";
  return value.kind === "words" ? `compadd -- ${value.words.map(quoted).join(" ")};` : "";
}

function wordCase({ path, subcommands, options, arguments: given }: CommandFacts): string {
  const flags = options.flatMap(optionWords);
  const words = [
    ...subcommands.map(({ name, description }) => described(name, description)),
    ...given.flatMap(({ value }) => (value.kind === "words" ? value.words.map(quoted) : [])),
  ];
  const files = given.some(({ value }) => value.kind === "file") ? "; _files" : "";
  return `    (${quoted(path.length === 0 ? "" : ` ${path.join(" ")}`)})
      if [[ $PREFIX == -* ]]; then found=(${flags.join(" ")}); _describe option found
      else found=(${words.join(" ")}); _describe command found${files}; fi ;;`;
}

function optionWords({ names, description }: OptionFacts): readonly string[] {
  return names.map((name) => described(name, description));
}

/** A colon separates the word from its description. */
function described(word: string, description: string): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
