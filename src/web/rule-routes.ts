import { z } from "zod";
import type { WebRequest } from "../kit/http/web-server.ts";
import type { RulesApi } from "./guide-api.ts";
import { type ApiRoute, route } from "./route.ts";
import { RuleOrderedSchema, RuleOrderSchema, RulePreviewSchema, RulesSchema } from "./rule-schema.ts";
import { named } from "./schemas.ts";

const Id = z.strictObject({
  id: z
    .string()
    .regex(/^\d{1,15}$/, "expected a whole number")
    .transform(Number),
});

/**
 * The account's rules.
 *
 * @param of finds the account of a request: a recorder has one, a guide server one per visitor
 */
export function ruleRoutes(of: (request: WebRequest) => Promise<RulesApi>): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/rules",
      summary: "Rules of the account, oldest first",
      answer: RulesSchema,
      handle: async ({ request }) => (await of(request)).all(),
    }),
    route({
      method: "POST",
      path: "/v1/rules",
      summary: "Add a rule; the answer says what it records. Repeating an order returns the existing rule",
      body: RuleOrderSchema,
      answer: RuleOrderedSchema,
      handle: async ({ body, request }) => (await of(request)).add(body),
    }),
    route({
      method: "PUT",
      path: "/v1/rules/:id",
      summary: "Replace a rule: an omitted condition is absent afterwards",
      params: Id,
      body: RuleOrderSchema,
      answer: RuleOrderedSchema,
      handle: async ({ params, body, request }) => (await of(request)).set(params.id, body),
    }),
    route({
      method: "DELETE",
      path: "/v1/rules/:id",
      summary: "Withdraw a rule with its timers; existing recordings stay",
      params: Id,
      answer: named("RuleDeleted", z.object({})),
      handle: async ({ params, request }) => {
        await (await of(request)).delete(params.id);
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/rules/preview",
      summary: "What a rule would record in the next two weeks; nothing is stored",
      body: named(
        "RulePreviewOrder",
        z.strictObject({
          order: RuleOrderSchema,
          replaces: z.int().exactOptional().describe("Id of the rule that the order would replace."),
        }),
      ),
      answer: RulePreviewSchema,
      handle: async ({ body, request }) => (await of(request)).preview(body),
    }),
  ];
}
