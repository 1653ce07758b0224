import { z } from "zod";
import type { TunerDriver } from "../../model/ports.ts";
import { DvbTunerConfig, dvbTuners } from "./drivers/dvb.ts";
import { Enigma2TunerConfig, enigma2Tuners } from "./drivers/enigma2.ts";
import { HdhomerunTunerConfig, hdhomerunTuners } from "./drivers/hdhomerun.ts";
import { MirakurunTunerConfig, mirakurunTuners } from "./drivers/mirakurun.ts";
import { MockTunerConfig, mockTuner } from "./drivers/mock.ts";
import { SatipTunerConfig, satipTuners } from "./drivers/satip.ts";
import { TvheadendTunerConfig, tvheadendTuners } from "./drivers/tvheadend.ts";
import { UrlTunerConfig, urlTuners } from "./drivers/url.ts";
import { keepMultiplexOpen } from "./keep-multiplex-open.ts";
import { Scanned } from "./scanned.ts";
import type { TunerParts } from "./server.ts";

/** One entry of the configuration's list of tuners: a kind, and what that kind needs. */
export const TunerConfig = z.discriminatedUnion("kind", [
  DvbTunerConfig,
  UrlTunerConfig,
  SatipTunerConfig,
  HdhomerunTunerConfig,
  TvheadendTunerConfig,
  Enigma2TunerConfig,
  MirakurunTunerConfig,
  MockTunerConfig,
]);
export type TunerConfig = z.infer<typeof TunerConfig>;

/** The tuners of the configuration, in its order. No tuner that does not answer yet is missing or holds up the others for long. */
export async function openTuners(
  configs: readonly TunerConfig[],
  parts: TunerParts,
): Promise<readonly TunerDriver[]> {
  const scanned = await Scanned.open(parts.folder, parts.log);
  const opened = await Promise.all(configs.map((config) => open(config, { ...parts, scanned })));
  return opened.flat().map((driver) => keepMultiplexOpen(driver, parts.clock));
}

async function open(
  config: TunerConfig,
  parts: TunerParts & { readonly scanned: Scanned },
): Promise<readonly TunerDriver[]> {
  switch (config.kind) {
    case "dvb":
      return dvbTuners(config, parts);
    case "url":
      return urlTuners(config);
    case "satip":
      return satipTuners(config, parts);
    case "hdhomerun":
      return hdhomerunTuners(config, parts);
    case "tvheadend":
      return tvheadendTuners(config, parts);
    case "enigma2":
      return enigma2Tuners(config, parts);
    case "mirakurun":
      return mirakurunTuners(config, parts);
    case "mock":
      return [await mockTuner(config, parts)];
  }
}
