import { z } from "zod";
import { isDeviceId } from "./core/device-id.ts";

export const HdhomerunConfig = z.strictObject({
  host: z
    .ipv4({ error: "expected an IPv4 address" })
    .default("127.0.0.1")
    .describe(
      "IPv4 address to listen on; 0.0.0.0: all. Everybody who reaches it can watch without signing in.",
    ),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(5004)
    .describe("Port of the lineup and the streams. Discovery always uses port 65001, UDP and TCP."),
  name: z
    .string()
    .regex(
      /^[^\p{Cc}\p{Cs}\p{Bidi_Control}]{1,64}$/u,
      "expected at most 64 characters without control characters",
    )
    .default("recorderd")
    .describe("Name of the device in the clients."),
  deviceId: z
    .string()
    .refine(isDeviceId, 'expected the id of an HDHomeRun in quotes, such as "10ABCDE1", with its checksum')
    .optional()
    .describe("Id of the device, eight hexadecimal digits. Without it, the recorder makes one and keeps it."),
});
export type HdhomerunConfig = z.infer<typeof HdhomerunConfig>;
