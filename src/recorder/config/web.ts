import { z } from "zod";
import { isProxyAddress } from "../../kit/http/client-address.ts";
import { AbsolutePath } from "./values.ts";

const HostName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, "expected a name such as recorder.local, in lower case");

const ProxyAddress = z
  .string()
  .max(64)
  .refine(isProxyAddress, "expected an address such as 192.0.2.1, or a network such as 192.0.2.0/24");

export const Web = z.strictObject({
  host: z.string().min(1).max(255).default("127.0.0.1").describe("Address to listen on."),
  port: z.int().min(0).max(65_535).default(8790),
  names: z
    .array(HostName)
    .max(20)
    .default([])
    .describe("Further host names of this machine, for `where-needed` and `hdhomerun`."),
  signIn: z
    .enum(["where-needed", "always"])
    .default("always")
    .describe(
      "Whether everybody must sign in. With `where-needed` and a loopback address, requests from this machine need no sign-in. Use it only if nothing on the machine, such as a reverse proxy, forwards requests of others.",
    ),
  tls: z
    .strictObject({ certFile: AbsolutePath, keyFile: AbsolutePath })
    .optional()
    .describe("Files (PEM) for HTTPS."),
  trustedProxies: z
    .array(ProxyAddress)
    .max(20)
    .default([])
    .describe(
      "Addresses and networks of reverse proxies that name their clients in `X-Forwarded-For`, so that limits count each client.",
    ),
  proxy: z
    .strictObject({
      address: z
        .union([z.ipv4(), z.ipv6()], { error: "expected an IP address" })
        .describe("Address that the reverse proxy sends from."),
      userHeader: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,100}$/, "expected the name of a header")
        .describe(
          "Header with the name of the user signed in at the proxy. The proxy must replace any value that clients send.",
        ),
    })
    .optional()
    .describe("A reverse proxy at which people sign in."),
});
