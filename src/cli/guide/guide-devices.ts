import { Command } from "commander";
import type { Document } from "../../guide-wire/documents.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { CliIo } from "../io.ts";
import { type GuideOptions, guideLeaf, usageError, withGuide } from "./guide-access.ts";
import { changedText, listText, printAnswer, printDone, recordsText, requireOne } from "./guide-output.ts";
import { filled, numberId } from "./guide-values.ts";

/** The account's recorders. */
export function devicesCommand(io: CliIo): Command {
  return new Command("devices")
    .description("manage the account's recording devices")
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(addCommand(io))
    .addCommand(setCommand(io))
    .addCommand(deleteCommand(io));
}

function listCommand(io: CliIo): Command {
  return guideLeaf("list", "list devices").action((options: GuideOptions) =>
    withGuide(io, options, async ({ client }) => {
      const answer = await client.devices(io.signal);
      printAnswer(io, { answer, options }, (value) => listText(io, deviceTable(value)));
    }),
  );
}

function deviceTable({ types, devices }: Document<"devices">) {
  const typeOf = new Map(types.map((type) => [type.id, type]));
  return {
    head: ["id", "label", "uid", "type", "model", "manufacturer"],
    rows: devices.map(({ id, label, uid = "", type_id, model, manufacturer }) => [
      String(id),
      label,
      uid,
      String(type_id),
      model ?? typeOf.get(type_id)?.model ?? "",
      manufacturer ?? typeOf.get(type_id)?.manufacturer_name ?? "",
    ]),
  };
}

function showCommand(io: CliIo): Command {
  return guideLeaf("show", "show one device")
    .argument("<id>", "id of the device", numberId)
    .action((id: number, options: GuideOptions) =>
      withGuide(io, options, async ({ client }) => {
        const answer = await client.device(id, io.signal);
        requireOne(answer, answer.value.devices, `device ${id}`);
        printAnswer(io, { answer, options }, ({ devices }) => recordsText(io, devices));
      }),
    );
}

interface AddOptions extends GuideOptions {
  readonly label: string;
  readonly type: number;
  readonly uid?: string;
}

function addCommand(io: CliIo): Command {
  return guideLeaf("add", "register a device; the service assigns its ID")
    .requiredOption("--label <text>", "display name of the device", filled)
    .requiredOption("--type <id>", "type of the device, from `recorderd guide device-types`", numberId)
    .option("--uid <text>", "unique identifier of the device, typically a MAC address; it never changes")
    .action((options: AddOptions) =>
      withGuide(io, options, async ({ client }) => {
        const { label, type, uid } = options;
        const order = { label, type_id: type, ...(uid === undefined ? {} : { uid }) };
        const answer = await client.addDevices([order], io.signal);
        printAnswer(io, { answer, options }, ({ devices }) => changedText(io, devices, "added"));
      }),
    );
}

interface SetOptions extends GuideOptions {
  readonly label?: string;
  readonly type?: number;
}

function setCommand(io: CliIo): Command {
  return guideLeaf("set", "change the label or type of a device")
    .argument("<id>", "id of the device", numberId)
    .option("--label <text>", "display name of the device", filled)
    .option("--type <id>", "type of the device, from `recorderd guide device-types`", numberId)
    .action((id: number, options: SetOptions) => {
      const { label, type } = options;
      if (label === undefined && type === undefined)
        throw usageError(io, "nothing to change: give --label or --type");
      return withGuide(io, options, async ({ client }) => {
        const change = {
          ...withoutUndefined({ label, type_id: type }),
        };
        const answer = await client.setDevice(id, change, io.signal);
        printAnswer(io, { answer, options }, ({ devices }) =>
          changedText(io, devices, `device ${id}: changed`),
        );
      });
    });
}

function deleteCommand(io: CliIo): Command {
  return guideLeaf("delete", "remove a device from the account")
    .argument("<id>", "id of the device", numberId)
    .action((id: number, options: GuideOptions) =>
      withGuide(io, options, async ({ client }) => {
        await client.deleteDevice(id, io.signal);
        printDone(io, options, `device ${id}: deleted`);
      }),
    );
}
