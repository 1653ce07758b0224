import { publish } from "../../../../kit/net/mqtt.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { NEWS_KINDS } from "../../../../model/news.ts";
import { withoutUndefined } from "../../../../model/without-undefined.ts";
import type { TargetConfig } from "../config.ts";
import { documentOf, type Target, type TargetCredentials } from "../target.ts";

type MqttConfig = Extract<TargetConfig, { readonly kind: "mqtt" }>;

/** Publishes news to a broker and, if configured, describes them to Home Assistant first. */
export function mqttTarget(
  config: MqttConfig,
  {
    credentials,
    version,
  }: { readonly credentials: () => TargetCredentials | undefined; readonly version: string },
): Target {
  const { id, url, topic, discovery } = config;
  return {
    id,
    async send(notification, signal) {
      const { kind, ...rest } = documentOf(notification);
      const payload = { event_type: kind, ...rest };
      const messages = [
        ...(discovery === ""
          ? []
          : [{ ...discoveryOf(config, { version, name: notification.labels.entity }), retain: true }]),
        { topic, payload: JSON.stringify(payload), retain: false },
      ];
      const { user, password } = credentials() ?? {};
      const failed = await publish(
        {
          url,
          messages,
          ...withoutUndefined({ user, password }),
        },
        signal,
      );
      if (failed === undefined) return;
      throw new RecorderdError(
        "NOTIFY_UNREACHABLE",
        `Target ${id}: the broker does not accept it (${failed}); recorderd notify login ${id} USER stores user and password.`,
        { target: id },
      );
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** @see Home Assistant, MQTT discovery and MQTT event */
function discoveryOf(
  { id, topic, discovery }: MqttConfig,
  { version, name }: { readonly version: string; readonly name: string },
) {
  const device = {
    identifiers: ["recorderd"],
    name: "recorderd",
    manufacturer: "recorderd",
    sw_version: version,
  };
  const config = {
    name,
    unique_id: `recorderd_${id}_news`,
    state_topic: topic,
    event_types: [...NEWS_KINDS, "test"],
    device,
  };
  return {
    topic: `${discovery}/event/recorderd_${id.replaceAll(".", "_")}/news/config`,
    payload: JSON.stringify(config),
  };
}
