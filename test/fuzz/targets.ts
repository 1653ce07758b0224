import type { Target } from "./target.ts";
import { backups } from "./targets/backups.ts";
import { channelLists, lamedb, m3u } from "./targets/channel-lists.ts";
import { chunks } from "./targets/chunks.ts";
import { eventTexts } from "./targets/event-texts.ts";
import { guideBodies, guideJson } from "./targets/guide-bodies.ts";
import { hdhomerun } from "./targets/hdhomerun.ts";
import { packets } from "./targets/packets.ts";
import { rtp } from "./targets/rtp.ts";
import { sections } from "./targets/sections.ts";
import { bitmapSubtitles, teletext } from "./targets/subtitles.ts";
import { xml } from "./targets/xml.ts";
import { xmltv } from "./targets/xmltv.ts";

/** Everything that reads bytes of strangers. */
export const TARGETS: readonly Target[] = [
  packets,
  sections,
  eventTexts,
  rtp,
  chunks,
  guideBodies,
  guideJson,
  xml,
  m3u,
  lamedb,
  channelLists,
  xmltv,
  backups,
  hdhomerun,
  teletext,
  bitmapSubtitles,
];
