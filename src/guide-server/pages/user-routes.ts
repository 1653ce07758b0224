import { z } from "zod";
import { type ApiRoute, route } from "../../web/route.ts";
import { At, Count, list, Name, Text } from "../../web/schemas.ts";
import { RIGHTS, type Rule, type User } from "../data/tables.ts";
import type { SignIn } from "../domain/login.ts";
import { rulesOf } from "../domain/rules.ts";
import { listedTimers } from "../domain/timer-lists.ts";
import { openSessions, removeUser, userOf, usersOf } from "../domain/users.ts";
import { titleOf } from "../http/wire.ts";
import { accepted, notFound } from "../refusal.ts";
import type { Household, HouseholdOf } from "./household.ts";

const RightsSchema = z.enum(RIGHTS);
const UserSchema = z.object({
  name: Text,
  rights: RightsSchema,
  createdAt: At,
  isSelf: z.boolean().describe("The user who sends the request."),
  sessions: Count.describe("Logins of boxes and recorders that have not ended."),
  timers: Count.describe("Listed timers booked by this user."),
  rules: Count.describe("Rules, series recordings and keywords of this user."),
});
const OrderSchema = z.object({
  kind: z.enum(["timer", "series", "keyword", "rule"]),
  id: Text,
  name: Text,
  start: At.exactOptional(),
});
const Named = z.strictObject({ name: Name });
const Password = z.string().min(1).max(1000);

export function userRoutes(of: HouseholdOf, signIn: () => SignIn): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/users",
      summary: "The household's users, by name; all requests about users are only for owners",
      answer: z.object({ users: list(UserSchema) }),
      handle: async ({ request }) => {
        const household = await of(request, "govern");
        const users = usersOf(household.tables, household.account);
        return { users: users.map((user) => userView(household, user)) };
      },
    }),
    route({
      method: "GET",
      path: "/v1/users/:name",
      summary: "One user with its timers, rules, series recordings and keywords",
      params: Named,
      answer: z.object({ user: UserSchema, bookings: list(OrderSchema) }),
      handle: async ({ params: { name }, request }) => {
        const household = await of(request, "govern");
        const user = accepted(
          userOf(household.tables, household.account, name) ?? notFound("The household has no such user."),
        );
        return { user: userView(household, user), bookings: ordersOf(household, user) };
      },
    }),
    route({
      method: "POST",
      path: "/v1/users",
      summary: "Add a user",
      status: 201,
      body: z.strictObject({ name: Name, password: Password, rights: RightsSchema }),
      answer: UserSchema,
      handle: async ({ body, request }) => {
        const household = await of(request, "govern");
        return userView(household, accepted(await signIn().addUser(household.account, body)));
      },
    }),
    route({
      method: "PUT",
      path: "/v1/users/:name",
      summary: "Change a user's password or rights; this ends all the user's sessions, also those of boxes",
      params: Named,
      body: z.strictObject({ password: Password.exactOptional(), rights: RightsSchema.exactOptional() }),
      answer: UserSchema,
      handle: async ({ params: { name }, body, request }) => {
        const household = await of(request, "govern");
        return userView(household, accepted(await signIn().changeUser(household.account, name, body)));
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/users/:name",
      summary: "Remove a user and end the user's sessions; the user's orders stay with the household",
      params: Named,
      answer: z.object({}),
      handle: async ({ params: { name }, request }) => {
        const { account, change } = await of(request, "govern");
        await change((tables) => removeUser(tables, account, name));
        return {};
      },
    }),
  ];
}

type UserOrder = z.input<typeof OrderSchema>;

/** The user's current timers and rules. */
function ordersOf({ tables, account, now }: Household, { id: by }: User): readonly UserOrder[] {
  const timers = listedTimers(tables, account, now).filter(({ bookedBy }) => bookedBy === by);
  const rules = (["series", "keyword", "rule"] as const).flatMap((kind) =>
    rulesOf(tables, account, kind).filter(({ bookedBy }) => bookedBy === by),
  );
  return [
    ...timers.map(({ id, name, start }) => ({ kind: "timer", id, name, start }) as const),
    ...rules.map(({ id, wants }) => ({
      kind: wants.kind,
      id: String(id),
      name: nameOf(tables, wants),
    })),
  ];
}

function nameOf(tables: Household["tables"], wants: Rule["wants"]): string {
  switch (wants.kind) {
    case "series":
      return titleOf(tables, wants.seriesId);
    case "keyword":
      return wants.keyword;
    case "rule":
      return wants.order.name;
  }
}

function userView(household: Household, user: User): z.input<typeof UserSchema> {
  const bookings = ordersOf(household, user);
  const timers = bookings.filter(({ kind }) => kind === "timer").length;
  const { id: name, rights, createdAt } = user;
  return {
    name,
    rights,
    createdAt,
    isSelf: user.id === household.user.id,
    sessions: openSessions(household.tables, user, household.now),
    timers,
    rules: bookings.length - timers,
  };
}
