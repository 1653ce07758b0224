import { z } from "zod";
import { DEFAULT_NEWS, NEWS_KINDS } from "../../../model/news.ts";

const Id = z
  .string()
  .max(64)
  .regex(/^[\w.-]+$/, "expected letters, digits, dots, dashes and underscores");
const On = z
  .array(z.enum(NEWS_KINDS))
  .min(1)
  .default([...DEFAULT_NEWS])
  .describe("Kinds of notifications to send.");
const PLAIN =
  "expected an address without user and query: `recorderd notify login` stores the password or token";
const Address = z
  .url({ protocol: /^https?$/, error: "expected an address such as https://hooks.example/recorder" })
  .regex(/^[^@?#]+$/, PLAIN);
const Mailbox = z
  .string()
  .max(320)
  .regex(
    /^[^\s@<>,;"\p{Cc}\p{Cf}\p{Cs}]+@[^\s@<>,;"\p{Cc}\p{Cf}\p{Cs}]+$/u,
    "expected an address such as you@example.org",
  );

export const TargetConfig = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("webhook"),
    id: Id,
    url: Address.describe("Receives each notification as JSON by POST."),
    on: On,
  }),
  z.strictObject({
    kind: z.literal("ntfy"),
    id: Id,
    url: Address.default("https://ntfy.sh").describe("The ntfy server."),
    topic: z
      .string()
      .regex(/^[\w-]{1,64}$/, "expected letters, digits, dashes and underscores")
      .describe("Anyone who knows the topic can read its messages."),
    on: On,
  }),
  z.strictObject({
    kind: z.literal("email"),
    id: Id,
    host: z
      .string()
      .regex(/^[\w.:-]+$/, "expected a host name or an address")
      .describe("The mail server (SMTP)."),
    port: z.int().min(1).max(65_535).default(465),
    security: z
      .enum(["tls", "starttls", "none"])
      .default("tls")
      .describe("`none` sends everything unencrypted, including the password."),
    from: Mailbox,
    to: z.array(Mailbox).min(1).max(20),
    on: On,
  }),
  z.strictObject({
    kind: z.literal("mqtt"),
    id: Id,
    url: z
      .url({ protocol: /^mqtts?$/, error: "expected an address such as mqtts://broker.example:8883" })
      .regex(/^[^@?#]+$/, PLAIN)
      .describe("The broker."),
    topic: z
      .string()
      .regex(/^[^#+\s\p{Cc}\p{Cs}]{1,200}$/u, "expected a topic without wildcards")
      .default("recorderd/news"),
    discovery: z
      .string()
      .regex(/^[^#+\s\p{Cc}\p{Cs}]{0,100}$/u, "expected a topic without wildcards")
      .default("homeassistant")
      .describe("Prefix of Home Assistant's discovery; empty for none."),
    on: On,
  }),
]);
export type TargetConfig = z.infer<typeof TargetConfig>;
