import { join } from "node:path";
import { DurableFile } from "../../../kit/files/durable-file.ts";
import type { Chance } from "../../../kit/time/clock.ts";
import { isDeviceId, makeDeviceId } from "./core/device-id.ts";

/** The device id in the data folder, made at the first start: clients recognise the recorder by it. */
export async function keptDeviceId(folder: string, chance: Chance): Promise<string> {
  const file = new DurableFile({ file: join(folder, "hdhomerun.json"), keepsPrevious: false });
  // A damaged file costs a client its settings, but no recording.
  const kept = await file.read(parse).catch(() => undefined);
  if (kept !== undefined) return kept.value;
  const made = makeDeviceId(chance());
  await file.replace(`${JSON.stringify({ deviceId: made })}\n`);
  return made;
}

function parse(text: string): string {
  const { deviceId } = JSON.parse(text) as { readonly deviceId?: unknown };
  if (typeof deviceId !== "string" || !isDeviceId(deviceId)) throw new Error("no device id");
  return deviceId;
}
