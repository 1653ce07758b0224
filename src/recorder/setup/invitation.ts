import { z } from "zod";
import type { RecorderdError } from "../../model/errors.ts";
import { INVITATION_LENGTH } from "../../model/setup.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { inNoFleet } from "../config/fleet.ts";
import { pathText } from "../config/mistakes.ts";
import { CommonConfig, type Config } from "../config/schema.ts";
import { Secrets } from "../config/secrets.ts";
import { TunerConfig } from "../tune/registry.ts";
import { isOfNetwork } from "../tune/share.ts";
import { invalidAnswer } from "./refusal.ts";
import type { TunerEntry } from "./tuner-step.ts";

/** Names the format: a later one has another number. */
const HEAD = "recorderd-fleet-1:";

/** The part of a node's configuration and secrets that all nodes of its fleet have. */
export interface Invitation {
  /** Keys as in a configuration; `fleet` has the database and the home alone. */
  readonly keys: z.input<typeof CommonConfig>;
  /** The same with the defaults. */
  readonly config: CommonConfig;
  readonly database: string;
  /** The node that keeps the recordings; absent: the nodes share a folder. */
  readonly home: string | undefined;
  /** Those that every machine reaches. */
  readonly tuners: readonly TunerEntry[];
  readonly secrets: Secrets;
}

const Stored = z.strictObject({
  keys: z.looseObject({ fleet: z.strictObject({ database: z.string(), home: z.string().exactOptional() }) }),
  tuners: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
  secrets: Secrets,
});

/** The configuration of a node. */
export interface NodeConfig {
  readonly config: Pick<Config, "fleet" | "tuners">;
  /** Its keys as they are in the file. */
  readonly keys: z.input<typeof Config>;
}

/** Writes the invitation of a node. It holds passwords. @throws RecorderdError CONFIG_INVALID if it is in no fleet */
export function invitationFrom({ config: { fleet, tuners }, keys }: NodeConfig, secrets: Secrets): string {
  if (fleet === undefined) throw inNoFleet();
  const shared = new Set(tuners.filter(isOfNetwork).map(({ id }) => id));
  const entries = (keys.tuners as readonly TunerEntry[]).filter(({ id }) => shared.has(id));
  const ofTuners = Object.entries(secrets.tuners ?? {}).filter(([id]) => shared.has(id));
  const common = Object.entries(keys).filter(([key]) => key in CommonConfig.shape);
  const stored: z.input<typeof Stored> = {
    keys: {
      ...Object.fromEntries(common),
      fleet: { database: fleet.database, ...withoutUndefined({ home: fleet.home }) },
    },
    tuners: [...entries],
    secrets: { ...secrets, tuners: Object.fromEntries(ofTuners) },
  };
  return HEAD + Buffer.from(JSON.stringify(stored)).toString("base64url");
}

/** @throws RecorderdError CONFIG_INVALID if it is none, or not whole, or from a version with other keys */
export function readInvitation(text: string): Invitation {
  const packed = text.replace(/\s+/g, "");
  if (!packed.startsWith(HEAD) || packed.length > INVITATION_LENGTH) {
    throw invalidAnswer(
      `An invitation begins with ${HEAD}: recorderd fleet invite prints one, on a node of the fleet.`,
      "invitation",
    );
  }
  const stored = Stored.safeParse(jsonIn(packed.slice(HEAD.length)));
  if (!stored.success) throw invalidAnswer("This invitation is not whole: copy all of it.", "invitation");
  const { keys, tuners, secrets } = stored.data;
  const common = CommonConfig.safeParse(keys);
  if (!common.success) throw unknownKeys(common.error);
  // A later version may have other kinds.
  const known = z.object({ tuners: z.array(TunerConfig) }).safeParse({ tuners });
  if (!known.success) throw unknownKeys(known.error);
  // The check above has proven it.
  return {
    keys: keys as Invitation["keys"],
    config: common.data,
    tuners: tuners.filter((_, index) => known.data.tuners.slice(index, index + 1).some(isOfNetwork)),
    secrets,
    database: keys.fleet.database,
    home: keys.fleet.home,
  };
}

function unknownKeys({ issues: [issue] }: z.ZodError): RecorderdError {
  const where = `${pathText(issue?.path ?? [])}: ${issue?.message}`;
  return invalidAnswer(
    `This invitation has a configuration that this version does not know (${where}): install the same version on both.`,
    "invitation",
  );
}

function jsonIn(packed: string): unknown {
  try {
    return JSON.parse(Buffer.from(packed, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
