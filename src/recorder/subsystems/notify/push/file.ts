import { z } from "zod";
import { LANGUAGES, type Language } from "../../../../words/language.ts";
import type { StateStore } from "../../../store/state-store.ts";
import { verifyChecksum, withChecksum } from "../../../store/summed-text.ts";

const VERSION = 1;

/** A browser that receives notifications, as it names itself (Push API, PushSubscription). */
export const Browser = z.object({
  /** A secret: its holder can send to the browser. */
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  language: z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]),
  /** IANA name. */
  timeZone: z.string(),
  addedAt: z.number(),
});
export type Browser = z.infer<typeof Browser>;

const Stored = z.object({
  schemaVersion: z.literal(VERSION),
  /** Identifies the recorder at push services (RFC 8292), in base64url. */
  keys: z.object({ publicKey: z.string(), privateKey: z.string() }),
  browsers: z.array(Browser),
});
export type Push = Omit<z.infer<typeof Stored>, "schemaVersion">;

/** The file of the browsers and of the recorder's own key. Nobody but the daemon may read it. */
export interface PushFile {
  /** @throws RecorderdError STORE_DAMAGED or FILE_UNREADABLE */
  read(): Promise<Push | undefined>;
  /** @throws RecorderdError DISK_FULL or WRITE_FAILED */
  write(push: Push): Promise<void>;
}

export function pushFile(state: Pick<StateStore, "text">): PushFile {
  const file = state.text("push", { isSecret: true });
  return {
    read: async () => (await file.read(parsed))?.value,
    write: (push) =>
      file.replace(
        withChecksum([JSON.stringify({ ...push, schemaVersion: VERSION } satisfies z.input<typeof Stored>)]),
      ),
  };
}

/** @throws Error if the text is damaged */
function parsed(text: string): Push {
  if (!verifyChecksum(text)) throw new Error("it has no checksum");
  return Stored.parse(JSON.parse(text));
}
