import { Argument, Command } from "commander";
import type { CliIo } from "../io.ts";
import { commandTable } from "./command-table.ts";
import { bashCompletion } from "./completion-bash.ts";
import { fishCompletion } from "./completion-fish.ts";
import { zshCompletion } from "./completion-zsh.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `recorderd completion SHELL`: prints a completion script for all commands, generated from their definitions. */
export function completionCommand(io: CliIo, all: () => Promise<Command>): Command {
  return new Command("completion")
    .description("print a completion script for a shell: commands, options and files")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)))
    .addHelpText(
      "after",
      "\n  bash: recorderd completion bash > /etc/bash_completion.d/recorderd\n" +
        "  zsh:  recorderd completion zsh > /usr/local/share/zsh/site-functions/_recorderd\n" +
        "  fish: recorderd completion fish > ~/.config/fish/completions/recorderd.fish",
    )
    .action(async (shell: keyof typeof SHELLS) =>
      io.print(SHELLS[shell](commandTable(await all())).trimEnd()),
    );
}
