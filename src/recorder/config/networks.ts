import { z } from "zod";
import { type NetworkSettings, TEXT_TABLES } from "../../model/network.ts";
import { MINUTE } from "../../model/time.ts";

const Network = z.strictObject({
  id: z.int().min(0).max(0xffff).describe("The network's original_network_id."),
  text: z.enum(TEXT_TABLES).optional().describe("Character table of texts that name none."),
  utcOffsetMinutes: z
    .int()
    .min(-720)
    .max(840)
    .optional()
    .describe("How far the times in its tables are ahead of UTC."),
});

/** The later of two entries for one network is the mistake. */
export const Networks = z
  .array(Network)
  .max(500)
  .default([])
  .superRefine((networks, context) => {
    for (const [index, { id }] of networks.entries()) {
      if (networks.findIndex((network) => network.id === id) === index) continue;
      context.addIssue({ code: "custom", path: [index, "id"], message: "expected an id of its own" });
    }
  })
  .describe(
    "Networks whose tables name no character set or time zone, or a wrong one. `recorderd inspect` shows the effect.",
  );

export function networkSettings(networks: z.infer<typeof Networks>): NetworkSettings {
  return new Map(
    networks.map(({ id, text, utcOffsetMinutes }) => [
      id,
      {
        ...(text === undefined ? {} : { text }),
        ...(utcOffsetMinutes === undefined ? {} : { utcOffsetMs: utcOffsetMinutes * MINUTE }),
      },
    ]),
  );
}
