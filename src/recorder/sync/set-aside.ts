import { RecorderdError } from "../../model/errors.ts";
import type { GuideAccount, WorkRegister } from "../../model/ports.ts";

/**
 * Wraps the account so that data that starved the event loop is not requested while it is set aside, as if the
 * service failed. Known timers stay and are recorded.
 */
export function withoutSetAside(account: GuideAccount, register: WorkRegister): GuideAccount {
  function check(subject: string): void {
    if (!register.isSetAside({ kind: "guide-list", subject })) return;
    const text = `The ${subject} of the guide service took so long to process that the daemon stopped responding. They are skipped for now: see recorderd status.`;
    throw new RecorderdError("GUIDE_SET_ASIDE", text, { document: subject });
  }
  return {
    ...account,
    timers: async (signal, how) => {
      check("timers");
      return await account.timers(signal, how);
    },
    channels: async (signal) => {
      check("channels");
      return await account.channels(signal);
    },
    programmes: async (order, signal) => {
      check("programmes");
      return await account.programmes(order, signal);
    },
    airings: async (order, signal) => {
      check("airings");
      return await account.airings(order, signal);
    },
  };
}
