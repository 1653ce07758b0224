import { Command } from "commander";
import { RecorderdError } from "../../model/errors.ts";
import { type EpochMs, formatInstant, SECOND } from "../../model/time.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { openFleetDatabase } from "../../recorder/fleet/access.ts";
import type { FleetDatabase } from "../../recorder/fleet/database.ts";
import {
  type DrainProgress,
  drainNode,
  drainProgress,
  forgetNode,
  resumeNode,
} from "../../recorder/fleet/drain.ts";
import { configOption } from "../defaults.ts";
import { usageError } from "../guide/guide-access.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";

interface Flags {
  readonly config: string;
  readonly wait: boolean;
}

/** `recorderd fleet drain`: prepares the maintenance of a node. */
export function drainCommand(io: CliIo): Command {
  return new Command("drain")
    .description(
      "prepare the maintenance of a node: it leads and records nothing new, and hands over what it can; waits until it is idle. Undo it with resume",
    )
    .argument("<node>", "name of the node, as recorderd fleet shows it")
    .addOption(configOption("configuration of a recorder of the fleet"))
    .option("--no-wait", "do not wait until the node is idle")
    .action(async (name: string, _flags: Flags, command: Command) => {
      const { wait, ...flags } = command.optsWithGlobals<Flags>();
      await using database = await databaseOf(io, flags);
      const refusal = await drainNode(database, name);
      if (refusal !== undefined) throw usageError(io, refusal);
      if (!wait) return io.print(plainLine(`${name} is drained. Undo: recorderd fleet resume ${name}`));
      io.print(plainLine(await untilIdle(io, { database, name })));
    });
}

/** `recorderd fleet resume`: ends the maintenance. */
export function resumeCommand(io: CliIo): Command {
  return changing(io, {
    name: "resume",
    description: "let a drained node lead and record again",
    change: resumeNode,
    changed: "can lead and record again.",
  });
}

/** `recorderd fleet forget`: for a machine that is broken. */
export function forgetCommand(io: CliIo): Command {
  return changing(io, {
    name: "forget",
    description:
      "remove a node that will not come back: recordings do not wait any more for the parts it has",
    change: forgetNode,
    changed: "is not a node of the fleet any more.",
  });
}

interface Change {
  readonly name: string;
  readonly description: string;
  /** @returns why not */
  readonly change: (database: FleetDatabase, node: string) => Promise<string | undefined>;
  /** The result, after the name of the node. */
  readonly changed: string;
}

function changing(io: CliIo, { name, description, change, changed }: Change): Command {
  return new Command(name)
    .description(description)
    .argument("<node>", "name of the node, as recorderd fleet shows it")
    .addOption(configOption("configuration of a recorder of the fleet"))
    .action(async (node: string, _flags: Flags, command: Command) => {
      await using database = await databaseOf(io, command.optsWithGlobals<Flags>());
      const refusal = await change(database, node);
      if (refusal !== undefined) throw usageError(io, refusal);
      io.print(plainLine(`${node} ${changed}`));
    });
}

async function databaseOf(io: CliIo, { config }: Pick<Flags, "config">): Promise<FleetDatabase> {
  return await openFleetDatabase(await loadConfig(config), { use: "state", clock: io.clock });
}

interface Waited {
  readonly database: FleetDatabase;
  readonly name: string;
}

/** Waits, and says what it waits for. @returns the result */
async function untilIdle(io: CliIo, { database, name }: Waited): Promise<string> {
  let said = "";
  for (;;) {
    const progress = await drainProgress(database, name).catch(asText);
    if (progress === undefined) return `${name} is not drained any more: somebody has resumed it.`;
    if (typeof progress !== "string" && progress.isDone) return doneText(progress, io.clock.now());
    const text = typeof progress === "string" ? progress : waitingText(progress);
    if (text !== said) io.note(plainLine(text));
    said = text;
    await io.clock.sleep(SECOND, io.signal).catch(() => {});
    if (io.signal.aborted) return `${name} stays drained. Undo: recorderd fleet resume ${name}`;
  }
}

/** The mark is in the database, so waiting goes on while that is away. */
function asText(error: unknown): string {
  if (error instanceof RecorderdError && error.code === "STORE_WRITE_FAILED") return error.message;
  throw error;
}

function doneText({ node: { name, isAway, seenMs } }: DrainProgress, now: EpochMs): string {
  const undo = `Undo: recorderd fleet resume ${name}`;
  if (!isAway) return `${name} is drained and records nothing: it can be stopped. ${undo}`;
  const since = formatInstant(now - seenMs);
  return `${name} is away since ${since}: others have its recordings, and it gets nothing new when it is back. ${undo}`;
}

function waitingText({ node: { name, role, captures } }: DrainProgress): string {
  if (role === "leader") return `${name} leads; another node takes over soon`;
  if (captures.length === 0) return `waiting for the leader to plan without ${name}`;
  const titles = captures.map(({ title, tunerId }) => `${title} (${tunerId})`).join(", ");
  return `${name} still records ${titles}: each moves if another tuner is free, or stays until its end`;
}
