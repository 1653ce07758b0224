import { strict as assert } from "node:assert";
import { z } from "zod";
import type { TunerDriver } from "../../model/ports.ts";
import { dvb } from "./drivers/dvb.ts";
import { enigma2 } from "./drivers/enigma2.ts";
import { file } from "./drivers/file.ts";
import { hdhomerun } from "./drivers/hdhomerun.ts";
import { mirakurun } from "./drivers/mirakurun.ts";
import { mock } from "./drivers/mock.ts";
import { satip } from "./drivers/satip.ts";
import { tvheadend } from "./drivers/tvheadend.ts";
import { url } from "./drivers/url.ts";
import { keepMultiplexOpen } from "./keep-multiplex-open.ts";
import type { TunerKind } from "./kind.ts";
import { Scanned } from "./scanned.ts";
import type { TunerParts } from "./server.ts";

/** Every kind of tuner, in the order of setup. */
export const TUNER_KINDS: readonly TunerKind[] = [
  hdhomerun,
  satip,
  tvheadend,
  enigma2,
  mirakurun,
  dvb,
  url,
  file,
  mock,
];

const [first, ...others] = TUNER_KINDS.map(({ schema }) => schema);
assert(first !== undefined);

/** One entry of the configuration's list of tuners, checked by its kind. */
export const TunerConfig = z.discriminatedUnion("kind", [first, ...others]);
export type TunerConfig = z.infer<typeof TunerConfig>;

export function kindOf({ kind }: { readonly kind: string }): TunerKind {
  const found = TUNER_KINDS.find((one) => one.kind === kind);
  assert(found !== undefined, "the configuration was checked");
  return found;
}

/** Opens the configured tuners, in order. A tuner that does not answer yet is included, and hardly delays the others. */
export async function openTuners(
  configs: readonly TunerConfig[],
  parts: TunerParts,
): Promise<readonly TunerDriver[]> {
  const scanned = await Scanned.open(parts.folder, parts.log);
  const opened = await Promise.all(
    configs.map((config) => kindOf(config).open(config, { ...parts, scanned })),
  );
  return opened.flat().map((driver) => keepMultiplexOpen(driver, parts.clock));
}
