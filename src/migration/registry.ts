import type { Origin } from "../model/imported.ts";
import type { OriginReader } from "./reader.ts";

/** The readers by the recorder they read; each is loaded when it is needed. */
export const READERS: Readonly<Partial<Record<Origin, () => Promise<OriginReader>>>> = {
  tvheadend: async () => (await import("./tvheadend/reader.ts")).tvheadendReader,
  vdr: async () => (await import("./vdr/reader.ts")).vdrReader,
  mythtv: async () => (await import("./mythtv/reader.ts")).mythtvReader,
};
