import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DurableFile } from "../../kit/files/durable-file.ts";
import { readFile } from "../../kit/files/steady-fs.ts";
import { RecorderdError } from "../../model/errors.ts";
import { workFolder } from "../capture/files.ts";
import type { InFleet } from "../config/fleet.ts";
import type { Config } from "../config/schema.ts";

/** The folders of recordings that all nodes of a fleet share. */
export interface SharedPlaces {
  /**
   * @param mark absent: that of any fleet
   * @returns why a folder is not the shared one; `undefined` if all are
   */
  whyNotOfFleet(mark?: string): Promise<string | undefined>;
  /**
   * Marks the folders as those of the fleet.
   *
   * @returns whether all are marked: a folder without a work folder may be a disk that is not mounted
   */
  mark(mark: string): Promise<boolean>;
}

export function sharedPlaces({
  recordings: { folder, libraryFolder = folder },
  fleet,
}: Pick<Config, "recordings"> & InFleet): SharedPlaces {
  // Each node has a folder of its own.
  if (fleet?.home !== undefined) return { whyNotOfFleet: async () => undefined, mark: async () => false };
  const places = [...new Set([folder, libraryFolder])];
  return {
    whyNotOfFleet: (mark) => whyNotOfFleet(places, mark),
    mark: (mark) => markPlaces(places, mark),
  };
}

async function whyNotOfFleet(places: readonly string[], mark?: string): Promise<string | undefined> {
  for (const place of places) {
    const found = await readFile(markFile(place), "utf8").catch(() => undefined);
    if (found !== undefined && (mark === undefined || found.trim() === mark)) continue;
    return `${place} is not the folder that the fleet shares: mount it on this node, too.`;
  }
  return undefined;
}

async function markPlaces(places: readonly string[], mark: string): Promise<boolean> {
  for (const place of places) {
    const isThere = await stat(workFolder(place)).then(
      () => true,
      () => false,
    );
    if (!isThere) return false;
  }
  try {
    for (const place of places)
      await new DurableFile({ file: markFile(place), mode: 0o644, keepsPrevious: false }).replace(
        `${mark}\n`,
      );
    return true;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return false;
  }
}

function markFile(place: string): string {
  return join(workFolder(place), "fleet");
}
