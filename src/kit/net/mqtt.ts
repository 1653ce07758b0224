import { randomUUID } from "node:crypto";
import type { MqttClient } from "mqtt";
import { SECOND } from "../../model/time.ts";

interface Publication {
  /** `mqtt://` or `mqtts://`, without user and password. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly messages: readonly {
    readonly topic: string;
    readonly payload: string;
    readonly retain: boolean;
  }[];
}

const PATIENCE_MS = 20 * SECOND;
/** A broker only acknowledges; a packet may have 256 MB. */
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * Connects, publishes at least once (QoS 1), and disconnects. Certificates are verified.
 *
 * @returns the reason of a failure; `undefined` on success
 * @throws the signal's reason when it is aborted first
 */
export async function publish(
  { url, user, password, messages }: Publication,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  // Loaded on first use: most commands publish nothing.
  const { connect } = await import("mqtt");
  signal.throwIfAborted();
  const client = connect(url, {
    clientId: `recorderd-${randomUUID().slice(0, 8)}`,
    reconnectPeriod: 0,
    connectTimeout: PATIENCE_MS,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
  });
  let bytes = 0;
  client.stream.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) client.stream.destroy();
  });
  try {
    const failed = await connected(client, signal);
    if (failed !== undefined) return failed;
    for (const { topic, payload, retain } of messages) {
      await Promise.race([
        client.publishAsync(topic, payload, { qos: 1, retain }),
        untilDisconnected(client, signal),
      ]);
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return codeOf(error);
  } finally {
    // Late errors concern nobody.
    client.on("error", () => {});
    client.end(true);
  }
}

function connected(client: MqttClient, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    client.once("connect", () => resolve(undefined));
    client.once("error", (error) => resolve(codeOf(error)));
    client.once("close", () => resolve("closed"));
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Rejects when the connection is lost before the broker acknowledges. */
function untilDisconnected(client: MqttClient, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    client.once("close", () => reject(new Error("closed")));
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error ? String(error.code) : "closed";
}
