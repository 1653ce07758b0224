import { type Recording, withoutForeignFields } from "../../../model/recording.ts";

/** A recording as an earlier program stored it. */
type Stored = Readonly<Record<string, unknown>>;

/** Version 3 renamed these fields of a recording. */
const RENAMED: Readonly<Record<string, string>> = {
  own: "override",
  told: "reported",
  unsaid: "reportPending",
  held: "clockHoldReason",
};

/**
 * Converts a recording of version 1 or 2 to version 3: exactly the fields of its state, and every figure of its
 * evidence.
 */
export function recordingOfVersion2(stored: Stored): Recording {
  const renamed = Object.entries(stored).map(([key, value]) => [RENAMED[key] ?? key, value]);
  const { closing, evidence, ...rest } = Object.fromEntries(renamed) as {
    readonly closing?: Stored;
    readonly evidence?: Stored;
  } & Pick<Recording, "state">;
  const { state } = rest;
  return withoutForeignFields({
    // Every version wrote these where the state has them; a crash of an early one may have come between.
    ...(state === "waiting" ? { nextTryAt: 0 } : {}),
    ...(state === "closing" ? { closing: { since: 0 } } : {}),
    ...rest,
    ...(closing === undefined ? {} : { closing: closingOfVersion2(closing) }),
    ...(evidence === undefined ? {} : { evidence: evidenceOfVersion2(evidence) }),
  }) as unknown as Recording;
}

function closingOfVersion2({ hindrance: blocker, ...closing }: Stored): Stored {
  return blocker === undefined ? closing : { ...closing, blocker };
}

/** Early programs counted damaged packets and junk together, in lengths of a packet, and no breaks of the clock. */
function evidenceOfVersion2({ junkPackets, ...evidence }: Stored): Stored {
  return { clockBreaks: 0, damagedPackets: junkPackets ?? 0, junkBytes: 0, ...evidence };
}

/** Version 3 had one code for tuners that we need ourselves, and for those that another program uses. Attempts met the latter. */
export function recordingOfVersion3<R extends Recording>(recording: R): R {
  const { trouble, attempts } = recording;
  const isConflict = trouble?.text.startsWith("Conflict") ?? true;
  const isOfAttempt =
    !isConflict && trouble?.code === "TUNER_BUSY" && attempts.at(-1)?.cause === trouble.code;
  return {
    ...recording,
    attempts: attempts.map((attempt) =>
      attempt.cause === "TUNER_BUSY" ? { ...attempt, cause: "TUNER_IN_USE" as const } : attempt,
    ),
    ...(isOfAttempt ? { trouble: { ...trouble, code: "TUNER_IN_USE" as const } } : {}),
  };
}
