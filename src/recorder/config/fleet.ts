import { hostname } from "node:os";
import { z } from "zod";
import { parseDatabaseAddress } from "../../kit/postgres/address.ts";
import { RecorderdError } from "../../model/errors.ts";

/** A shorter one could be guessed. */
export const FLEET_SECRET_LENGTH = 24;

/** The place of the password of the fleet's database, for messages. */
export const DATABASE_PASSWORD_PLACE = "recorderd fleet password or PGPASSFILE";

/** The error of a command that is only for a node of a fleet. */
export function inNoFleet(): RecorderdError {
  return new RecorderdError(
    "CONFIG_INVALID",
    "This recorder is in no fleet: set fleet.database in its configuration (docs/dev/fleet.md).",
  );
}

const DatabaseUrl = z.string().superRefine((text, context) => {
  try {
    parseDatabaseAddress(text, DATABASE_PASSWORD_PLACE);
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
});

export const FleetConfig = z.strictObject({
  database: DatabaseUrl.describe(
    "PostgreSQL database that holds the state: postgres://USER@HOST:PORT/NAME. The password: `recorderd fleet password`.",
  ),
  node: z
    .string()
    .regex(/^[\w.-]{1,63}$/, "expected letters, digits and . _ -")
    .optional()
    .describe("The name of this node. Default: that of the machine."),
  home: z
    .string()
    .regex(/^[\w.-]{1,63}$/, "expected letters, digits and . _ -")
    .optional()
    .describe(
      "The name of the node that keeps the recordings, the same on all nodes. Default: all nodes share the folder of recordings.",
    ),
  listen: z
    .strictObject({
      host: z
        .string()
        .min(1)
        .max(255)
        .default("127.0.0.1")
        .describe("An address of this machine that the other nodes reach."),
      port: z.int().min(0).max(65_535).default(0).describe("0: any free port."),
    })
    .prefault({})
    .describe("Where this node takes the orders of the leader, once the fleet has a secret."),
});

/** A configuration, as far as its fleet is concerned. */
export interface InFleet {
  readonly fleet?: Pick<z.infer<typeof FleetConfig>, "node" | "home"> | undefined;
}

/** The name of this node in its fleet. */
export function nodeNameOf({ fleet }: InFleet): string {
  return fleet?.node ?? hostname();
}

/**
 * Whether this node is the one that keeps the recordings of a fleet whose nodes share no folder; `undefined` if they share one.
 */
export function isHomeOf({ fleet }: InFleet): boolean | undefined {
  return fleet?.home === undefined ? undefined : fleet.home === nodeNameOf({ fleet });
}

/**
 * The name under which the library knows a folder of recordings: nodes that share no folder have different ones at the same path.
 */
export function folderName(config: InFleet, folder: string): string {
  return config.fleet?.home === undefined ? folder : `${nodeNameOf(config)}:${folder}`;
}
