import { RecorderdError } from "../../../model/errors.ts";
import type { RulesApi } from "../../../web/guide-api.ts";

interface Keepers {
  readonly service: RulesApi;
  readonly recorder: RulesApi;
  /** Whether the recorder keeps rules already: it goes on with them. */
  readonly recorderHasRules: () => boolean;
}

/** The rules of the guide service, or the recorder's own if the service has no rules. */
export function chosenRules({ service, recorder, recorderHasRules }: Keepers): RulesApi {
  async function chosen(): Promise<RulesApi> {
    return (await serviceRules()) === undefined ? recorder : service;
  }

  /** `undefined` for a service without rules. */
  async function serviceRules(): Promise<Awaited<ReturnType<RulesApi["all"]>> | undefined> {
    if (recorderHasRules()) return undefined;
    try {
      return await service.all();
    } catch (error) {
      // A web server's own page means a wrong address.
      const hasNone = error instanceof RecorderdError && error.code === "GUIDE_NOT_FOUND";
      if (!hasNone || error.facts["html"] === true) throw error;
      return undefined;
    }
  }

  return {
    all: async () => (await serviceRules()) ?? recorder.all(),
    add: async (order) => (await chosen()).add(order),
    set: async (id, order) => (await chosen()).set(id, order),
    delete: async (id) => (await chosen()).delete(id),
    preview: async (wanted) => (await chosen()).preview(wanted),
  };
}
