import { expect, it } from "vitest";
import { RecorderdError } from "../../../../src/model/errors.ts";
import { chosenRules } from "../../../../src/recorder/subsystems/booking/chosen-rules.ts";
import type { RulesApi } from "../../../../src/web/guide-api.ts";

/** Rules of nobody, which say who was asked. */
function keeper(kept: "service" | "recorder", fails?: RecorderdError): RulesApi {
  const preview = { matches: [], total: kept === "service" ? 1 : 2, records: 0, unidentified: 0 };
  return {
    all: async () => {
      if (fails !== undefined) throw fails;
      return { rules: [], kept };
    },
    preview: async () => preview,
    add: async () => Promise.reject(new Error("not asked")),
    set: async () => Promise.reject(new Error("not asked")),
    delete: async () => {},
  };
}

async function whoAnswers(options: {
  readonly fails?: RecorderdError;
  readonly hasOwn?: boolean;
}): Promise<string> {
  const { fails, hasOwn = false } = options;
  const rules = chosenRules({
    service: keeper("service", fails),
    recorder: keeper("recorder"),
    recorderHasRules: () => hasOwn,
  });
  const { kept } = await rules.all();
  const { total } = await rules.preview({ order: { name: "x", quality: "Prefer HD" } });
  expect(total).toBe(kept === "service" ? 1 : 2);
  return kept;
}

const missing = (facts = {}) => new RecorderdError("GUIDE_NOT_FOUND", "nothing is there", facts);

it("the service keeps rules if it has any, else the recorder, which goes on once it has one", async () => {
  expect(await whoAnswers({})).toBe("service");
  expect(await whoAnswers({ fails: missing() })).toBe("recorder");
  expect(await whoAnswers({ hasOwn: true })).toBe("recorder");
});

it("a failing service, and a web server at a wrong address, are no services without rules", async () => {
  await expect(whoAnswers({ fails: missing({ html: true }) })).rejects.toThrow("nothing is there");
  await expect(whoAnswers({ fails: new RecorderdError("GUIDE_TIMEOUT", "too slow") })).rejects.toThrow(
    "too slow",
  );
});
