import type { Clock } from "../../kit/time/clock.ts";
import type { Sessions } from "../../web/listener/sessions.ts";
import type { GuideStore } from "../data/store.ts";
import { remove } from "../data/tables.ts";
import { normalName } from "../data/user-name.ts";
import { userNamed } from "../domain/users.ts";
import { addVisit } from "../domain/visits.ts";
import { isRefusal } from "../refusal.ts";

/** Sessions of browsers with the data: any process serves them. A change of their user ends them (domain/users.ts). */
export function pageSessions(store: () => GuideStore, clock: Clock): Sessions {
  return {
    add: async (id, { user, passwordHash: proof = "", until }) => {
      const name = normalName(user);
      const account = (await userNamed(store(), name))?.accountId;
      if (account === undefined) return false;
      const arrival = { id, user: name, proof, now: clock.now(), until };
      const isAdded = await store().commit(account, (tables) => addVisit(tables, arrival));
      return !isRefusal(isAdded) && isAdded;
    },
    find: async (id) => {
      const tables = await store().holding("visits", id);
      const visit = tables?.visits.get(id);
      const user = visit && tables?.users.get(visit.userId);
      return visit && user && { user: user.id, until: visit.expiresAt };
    },
    remove: async (id) => {
      const account = (await store().holding("visits", id))?.visits.get(id)?.accountId;
      if (account === undefined) return;
      await store().commit(account, () => ({ changes: [remove("visits", id)], value: undefined }));
    },
  };
}
