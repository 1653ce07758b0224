/*
 * The requests that a simulated content site takes. Written from the documentation of the interface alone and shares nothing
 * with the client, so that one cannot hide a mistake of the other.
 */

export type GivenValues = Readonly<Record<string, unknown>>;

interface Argument {
  readonly type: "integer" | "string" | "boolean" | "array";
  readonly required?: true;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
}

export type Arguments = Readonly<Record<string, Argument>>;

/** A reply in the site's wire format. */
export interface SiteReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const CONTEXT: Argument = { type: "string", enum: ["view", "embed", "edit"], default: "view" };
const DIRECTION: Argument = { type: "string", enum: ["asc", "desc"], default: "desc" };

export const LIST_ARGUMENTS: Arguments = {
  context: CONTEXT,
  page: { type: "integer", minimum: 1, default: 1 },
  per_page: { type: "integer", minimum: 1, maximum: 100, default: 10 },
  search: { type: "string" },
  include: { type: "array", default: [] },
  exclude: { type: "array", default: [] },
  offset: { type: "integer" },
  order: DIRECTION,
  orderby: { type: "string", enum: ["date", "id", "title"], default: "date" },
};
export const ITEM_ARGUMENTS: Arguments = { context: CONTEXT };
export const WRITE_ARGUMENTS: Arguments = {
  title: { type: "string" },
  status: { type: "string", enum: ["publish", "draft"] },
};
export const DELETE_ARGUMENTS: Arguments = { force: { type: "boolean", default: false } };
export const BATCH_ARGUMENTS: Arguments = {
  validation: { type: "string", enum: ["require-all-validate", "normal"], default: "normal" },
  requests: { type: "array", required: true, maxItems: 25 },
};
export const REDIRECT_ARGUMENTS: Arguments = {
  orderby: { type: "string", enum: ["source", "last_count", "last_access", "position", "id"] },
  direction: DIRECTION,
  per_page: { type: "integer", minimum: 5, maximum: 200, default: 25 },
  page: { type: "integer", minimum: 0, default: 0 },
};

export function refusal(status: number, code: string, message: string): SiteReply {
  return { status, body: { code, message, data: { status } } };
}

/** The parameter values with defaults, or the refusal. */
export function readArguments(
  args: Arguments,
  given: GivenValues,
): { readonly values: GivenValues } | { readonly refused: SiteReply } {
  const values: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(args)) {
    const value = given[name] ?? argument.default;
    if (value === undefined && argument.required === true) {
      return { refused: refusal(400, "rest_missing_callback_param", `Missing parameter(s): ${name}`) };
    }
    const read = value === undefined ? undefined : readOne(argument, value);
    if (value !== undefined && read === undefined) {
      return { refused: refusal(400, "rest_invalid_param", `Invalid parameter(s): ${name}`) };
    }
    values[name] = read;
  }
  return { values };
}

function readOne(parameter: Argument, value: unknown): unknown {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = parameter;
  switch (type) {
    case "integer":
      return /^-?\d+$/.test(String(value)) && Number(value) >= minimum && Number(value) <= maximum
        ? Number(value)
        : undefined;
    case "boolean":
      return ["true", "false"].includes(String(value)) ? String(value) === "true" : undefined;
    case "array":
      return arrayOf(value, parameter.maxItems);
    case "string":
      return typeof value === "string" && (parameter.enum ?? [value]).includes(value) ? value : undefined;
  }
}

function arrayOf(value: unknown, maxItems = Number.POSITIVE_INFINITY): unknown {
  const list = Array.isArray(value) ? value : String(value).split(",");
  return list.length <= maxItems ? list : undefined;
}
