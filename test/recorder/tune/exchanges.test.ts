import { describe, expect, it } from "vitest";
import { answerOf, recordedExchanges } from "./exchanges.ts";
import { ELSEWHERE, ONE, onAir, receivers, serve, type Trouble, USER } from "./fakes/air.ts";
import { fakeMirakurun } from "./fakes/mirakurun.ts";
import { fakeSatip } from "./fakes/satip.ts";
import { fakeTvheadend } from "./fakes/tvheadend.ts";
import { conversationWith, recordedConversations } from "./satip-exchanges.ts";
import { tvheadendNames } from "./tvheadend-names.ts";

describe("a fake answers like the recorded real server", async () => {
  const TROUBLES: Readonly<Record<string, Trouble>> = { "no rights": "no rights", limit: "limit" };

  it.each(await recordedExchanges("tvheadend"))("Tvheadend: $request $when", async (exchange) => {
    const { when = "", answer } = exchange;
    const air = receivers({ count: 1, shared: true });
    if (when === "busy") air.take(ELSEWHERE, "a viewer");
    await using sound = await fakeTvheadend(air);
    const trouble = TROUBLES[when];
    await using server = await fakeTvheadend(air, trouble === undefined ? {} : { trouble });
    const as = when === "wrong password" ? { ...USER, password: "wrong" } : USER;
    const asked = {
      address: server.address,
      names: await tvheadendNames(sound.address),
      ...(when === "no user" ? {} : { as }),
    };
    expect(await answerOf(asked, exchange)).toEqual(answer);
  });

  it.each(await recordedExchanges("mirakurun"))("Mirakurun: $request $when", async (exchange) => {
    const air = receivers({ count: 1, shared: true });
    if (exchange.when === "busy") air.take(ELSEWHERE, "a viewer");
    await using server = await fakeMirakurun(air);
    expect(await answerOf({ address: server.address, names: {} }, exchange)).toEqual(exchange.answer);
  });

  describe.each(["minisatip", "tvheadend"] as const)("SAT>IP of %s", async (manner) => {
    it.each(await recordedConversations(manner))("$name", async (conversation) => {
      const air = receivers({ count: 1, shared: true });
      if (conversation.when === "busy") air.take(ELSEWHERE, "a viewer");
      await using source = await serve((_request, response) => onAir(response, ONE));
      await using server = await fakeSatip(air, () => source.address, { manner });
      expect(await conversationWith(server.port, conversation)).toEqual(conversation.steps);
    });
  });
});
