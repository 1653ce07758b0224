import { z } from "zod";
import { fc } from "../properties.ts";

/** The JSON Schema keywords that zod's output uses here. */
interface Said {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Said[];
  readonly oneOf?: readonly Said[];
  readonly properties?: Readonly<Record<string, Said>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Said;
  readonly items?: Said;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Any records that a schema takes, those of kinds that are still to come too. */
export function recordsOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  return valuesOf(z.toJSONSchema(schema) as Said);
}

function valuesOf(said: Said): fc.Arbitrary<unknown> {
  const choices = said.anyOf ?? said.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(valuesOf));
  if (said.const !== undefined) return fc.constant(said.const);
  if (said.enum !== undefined) return fc.constantFrom(...said.enum);
  switch (said.type) {
    case "string":
      return fc.string({ unit: "grapheme", minLength: said.minLength ?? 0, maxLength: 12 });
    case "integer":
      return fc.integer({ min: Math.max(said.minimum ?? 0, 0), max: Math.min(said.maximum ?? 2e9, 2e9) });
    case "number":
      return fc.integer({ min: 1, max: Math.min(said.maximum ?? 1000, 1000) }).map((n) => n / 4);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valuesOf(said.items ?? {}), { maxLength: 3 });
    case "object":
      return objectsOf(said);
    default:
      return fc.jsonValue({ maxDepth: 2, noUnicodeString: false });
  }
}

function objectsOf({ properties, required = [], additionalProperties }: Said): fc.Arbitrary<unknown> {
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? additionalProperties : {};
    return fc.dictionary(fc.string({ maxLength: 6 }), valuesOf(values), {
      maxKeys: 3,
      noNullPrototype: true,
    });
  }
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valuesOf(each)] as const),
  );
  return fc.record(fields, { requiredKeys: [...required], noNullPrototype: true });
}
