import { decompressed, isBrotliName } from "../../kit/files/unpack.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import { XmlFlaw } from "../../kit/xml/xml-stream.ts";
import type { EpochMs } from "../../model/time.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { type Complaint, createXmltvReader } from "./reader.ts";

export interface ListingCheck {
  readonly channels: number;
  readonly programmes: number;
  /** The end of the last programme. */
  readonly end: EpochMs;
  /** The number of violations of XMLTV, without its permitted ambiguities. */
  readonly complaints: number;
  /** The place where the document is malformed or torn: nothing after it was read. */
  readonly flaw?: { readonly line: number; readonly reason: string };
}

/**
 * Reads a listing only to check it.
 *
 * @param complain called for each violation of XMLTV
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function checkListing(
  file: string,
  complain: (complaint: Complaint) => void,
): Promise<ListingCheck> {
  let [programmes, complaints, end] = [0, 0, 0];
  const ids = new Set<string>();
  const reader = createXmltvReader(
    {
      channel: ({ id }) => ids.add(id),
      programme: ({ start, stop = start }) => {
        programmes += 1;
        end = Math.max(end, stop);
      },
      complain: (complaint) => {
        if (complaint.isGuess === undefined) complaints += 1;
        complain(complaint);
      },
    },
    { zone: systemZone(), isForAll: false },
  );
  try {
    const isBrotli = isBrotliName(file);
    for await (const chunk of decompressed(file, { bytesMax: SERVER_LIMITS.listingBytes, isBrotli }))
      reader.write(chunk);
    reader.end();
    return { channels: ids.size, programmes, end, complaints };
  } catch (error) {
    if (!(error instanceof XmlFlaw)) throw error;
    const flaw = { line: error.line, reason: error.message };
    return { channels: ids.size, programmes, end, complaints, flaw };
  }
}
