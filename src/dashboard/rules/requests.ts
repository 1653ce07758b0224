import type { Rule } from "../../model/rule.ts";
import { ask, type Method } from "../state/api.ts";
import type { Preview, PreviewOrder } from "./shapes.ts";

export async function loadRules(): Promise<readonly Rule[]> {
  const { rules } = await ask<{ readonly rules: readonly Rule[] }>("GET", "/v1/rules");
  return rules;
}

export function askPreview(wanted: PreviewOrder, signal: AbortSignal): Promise<Preview> {
  return ask<Preview>("POST", "/v1/rules/preview", wanted, { signal });
}

/** @returns what the saved rule records and displaces */
export async function saveRule({ order, replaces }: PreviewOrder): Promise<Preview> {
  const [method, path]: readonly [Method, string] =
    replaces === undefined ? ["POST", "/v1/rules"] : ["PUT", `/v1/rules/${replaces}`];
  const { preview } = await ask<{ readonly preview: Preview }>(method, path, order);
  return preview;
}
