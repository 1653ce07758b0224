import { Command, Option } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Rule } from "../../model/rule.ts";
import type { Channel } from "../../model/service.ts";
import { MINUTE } from "../../model/time.ts";
import { askDaemon, type Question } from "../../recorder/api/ask.ts";
import type { RuleOrdered, RulePreview, RuleRequest, RulesApi } from "../../web/guide-api.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import { filled, numberId } from "../guide/guide-values.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { detailsText, tableText } from "../table.ts";
import { CLEARABLE, type ClearableFlag, changedOrder, type RuleFlags, withConditions } from "./rule-flags.ts";
import { type PreviewContext, previewText, ruleDetails, wantsText } from "./rule-text.ts";

interface Options {
  readonly socket: string;
  readonly json: boolean;
}

type Rules = Awaited<ReturnType<RulesApi["all"]>>;

/** Reading the guide for a preview, and planning, may take longer than other answers. */
const PATIENCE_MS = MINUTE;

/** `recorderd rules`: orders for every show that fits. */
export function rulesCommand(io: CliIo): Command {
  return new Command("rules")
    .description("manage rules: every matching show is recorded, each episode once")
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(addCommand(io))
    .addCommand(setCommand(io))
    .addCommand(removeCommand(io))
    .addCommand(previewCommand(io));
}

function leaf(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print the answer as one JSON document", false);
}

const ID_WORDS = "id of the rule, from `list`";

function listCommand(io: CliIo): Command {
  return leaf("list", "list rules").action(async ({ socket, json }: Options) => {
    const found = await ask<Rules>(io, socket, { method: "GET", path: "/v1/rules" });
    if (json) return io.print(plainJson(found));
    if (found.rules.length === 0) return io.note("There are no rules.");
    const { channels } = await contextOf(io, socket);
    const rows = found.rules.map((rule) => [
      String(rule.id),
      rule.name,
      wantsText(rule, channels),
      rule.isPaused ? "paused" : "",
    ]);
    io.print(tableText({ head: ["ID", "NAME", "WANTS", "STATE"], rows }, io.columns));
  });
}

function showCommand(io: CliIo): Command {
  return leaf("show", "show a rule")
    .argument("<id>", ID_WORDS, numberId)
    .action(async (id: number, { socket, json }: Options) => {
      const rule = await stored(io, socket, id);
      if (json) return io.print(plainJson(rule));
      const { channels } = await contextOf(io, socket);
      io.print(detailsText(ruleDetails(rule, channels), io.columns));
    });
}

function addCommand(io: CliIo): Command {
  const command = leaf("add", "add a rule").argument("<name>", "name of the rule", filled);
  return withConditions(command).action(async (name: string, options: Options & RuleFlags) => {
    const body = changedOrder({ name, quality: "Prefer HD" }, options);
    const done = await ask<RuleOrdered>(io, options.socket, { method: "POST", path: "/v1/rules", body });
    await printOrdered(io, options, { done, verb: "added" });
  });
}

interface SetFlags extends RuleFlags {
  readonly name?: string;
  readonly clear?: readonly ClearableFlag[];
}

function withChanges(command: Command): Command {
  return withConditions(command)
    .option("--name <text>", "new name", filled)
    .addOption(
      new Option("--clear <options...>", "remove the conditions that these options have set").choices([
        ...CLEARABLE,
      ]),
    );
}

function setCommand(io: CliIo): Command {
  const command = leaf("set", "change a rule; options that are not given keep their values").argument(
    "<id>",
    ID_WORDS,
    numberId,
  );
  return withChanges(command).action(async (id: number, options: Options & SetFlags) => {
    const { socket } = options;
    const body = orderOf(await stored(io, socket, id), options);
    const done = await ask<RuleOrdered>(io, socket, { method: "PUT", path: `/v1/rules/${id}`, body });
    await printOrdered(io, options, { done, verb: "changed" });
  });
}

function removeCommand(io: CliIo): Command {
  return leaf("remove", "remove a rule and its timers; finished recordings stay")
    .argument("<id>", ID_WORDS, numberId)
    .action(async (id: number, { socket, json }: Options) => {
      await stored(io, socket, id);
      await ask(io, socket, { method: "DELETE", path: `/v1/rules/${id}` });
      io.print(json ? "null" : `rule ${id}: removed`);
    });
}

function previewCommand(io: CliIo): Command {
  const command = leaf(
    "preview",
    "show what a rule would record in the next two weeks, and what other recordings would lose; changes nothing",
  ).argument("[id]", "id of a rule, to try changes to it (default: a new rule)", numberId);
  return withChanges(command).action(async (id: number | undefined, options: Options & SetFlags) => {
    const { socket, json } = options;
    const order =
      id === undefined
        ? changedOrder({ name: options.name ?? "preview", quality: "Prefer HD" }, options)
        : orderOf(await stored(io, socket, id), options);
    const body = { order, ...(id === undefined ? {} : { replaces: id }) };
    const preview = await ask<RulePreview>(io, socket, { method: "POST", path: "/v1/rules/preview", body });
    if (json) return io.print(plainJson(preview));
    io.print(previewText(preview, await contextOf(io, socket)));
  });
}

/** A rule's order with the changes of the command line. */
function orderOf(rule: Rule, { name = rule.name, clear = [], ...flags }: SetFlags): RuleRequest {
  const { id: _id, createdAt: _when, ...order } = rule;
  return changedOrder({ ...order, name }, flags, clear);
}

/** @throws RecorderdError GUIDE_NOT_FOUND */
async function stored(io: CliIo, socket: string, id: number): Promise<Rule> {
  const { rules } = await ask<Rules>(io, socket, { method: "GET", path: "/v1/rules" });
  const rule = rules.find((one) => one.id === id);
  if (rule !== undefined) return rule;
  throw new RecorderdError(
    "GUIDE_NOT_FOUND",
    `There is no rule ${id}: recorderd rules list shows all rules.`,
  );
}

async function printOrdered(
  io: CliIo,
  { socket, json }: Options,
  { done, verb }: { readonly done: RuleOrdered; readonly verb: string },
): Promise<void> {
  if (json) return io.print(plainJson(done));
  const { rule, preview } = done;
  io.print(plainLine(`rule ${rule.id} “${rule.name}”: ${verb}`));
  io.print(previewText(preview, await contextOf(io, socket)));
}

async function contextOf(io: CliIo, socket: string): Promise<PreviewContext> {
  const question: Question = { method: "GET", path: "/v1/guide/channels" };
  const channels = await ask<readonly Pick<Channel, "id" | "name">[]>(io, socket, question);
  const names = new Map(channels.map(({ id, name }) => [Number(id), name]));
  return {
    channels: names,
    timeZone: systemZone(),
    ...(io.columns === undefined ? {} : { columns: io.columns }),
  };
}

function ask<T>(io: CliIo, socket: string, question: Question): Promise<T> {
  return askDaemon<T>(socket, { patienceMs: PATIENCE_MS, ...question }, io);
}
