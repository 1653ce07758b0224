import { z } from "zod";
import { parseTriplet } from "../../model/service.ts";
import { MINUTE } from "../../model/time.ts";

/** `#` is reserved for the tuners that `count` creates. */
export const TunerId = z
  .string()
  .max(64)
  .regex(/^[\w.-]+$/, "expected letters, digits, dots, dashes and underscores");

export const TripletText = z
  .string()
  .describe("original network, transport stream and service id: 318/18432/3401, or each 0x…")
  .transform((text, context) => {
    const triplet = parseTriplet(text);
    if (triplet !== undefined) return triplet;
    context.addIssue({
      code: "custom",
      message: "expected three numbers up to 65535, such as 318/18432/3401",
    });
    return z.NEVER;
  });

/** For a server that reports how many tuners it has. */
export const TunerCount = z
  .int()
  .min(1)
  .max(64)
  .optional()
  .describe("How many of its tuners to use; without it, all.");

export const WarmUpMs = z
  .int()
  .min(0)
  .max(MINUTE)
  .describe("How long before the start of a recording the tuner is opened, in milliseconds.");

export const ChannelListFile = z
  .string()
  .regex(/^\//, "expected an absolute path")
  .describe(
    "A channel list of any known format, one that `recorderd tuners import` wrote, or a list of frequencies.",
  );

/** PAT, NIT, SDT, EIT and TDT: requested in addition to the packets of a service. */
export const TABLE_PIDS: readonly number[] = [0, 16, 17, 18, 20];
