import type { TargetConfig } from "./config.ts";
import type { Target, TargetCredentials } from "./target.ts";
import { emailTarget } from "./targets/email.ts";
import { httpTarget } from "./targets/http.ts";
import { mqttTarget } from "./targets/mqtt.ts";

export interface TargetParts {
  /** The current credentials: `recorderd notify login` may change them. */
  readonly credentials: (id: string) => TargetCredentials | undefined;
  readonly version: string;
}

/** The targets of the configuration, in its order. */
export function openTargets(
  configs: readonly TargetConfig[],
  { credentials, version }: TargetParts,
): readonly Target[] {
  return configs.map((config) => {
    const own = () => credentials(config.id);
    switch (config.kind) {
      case "webhook":
      case "ntfy":
        return httpTarget(config, own);
      case "email":
        return emailTarget(config, own);
      case "mqtt":
        return mqttTarget(config, { credentials: own, version });
    }
    return config satisfies never;
  });
}
