import { describe, expect, it } from "vitest";
import { guideAccount } from "../../src/guide-wire/account.ts";
import { EventReader } from "../../src/guide-wire/changes.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import type { ChangeListener } from "../../src/model/ports.ts";
import { fc } from "../properties.ts";
import { type Answering, clientOf, loopback, NOW, rejection, signal, TIMER } from "./loopback.ts";

function listening() {
  const versions: string[] = [];
  let beats = 0;
  const listener: ChangeListener = {
    onAlive: () => {
      beats += 1;
    },
    onVersion: (version) => versions.push(version),
  };
  return { listener, versions, beats: () => beats };
}

const event = (version: string) => `event: list\ndata: {"version":"${version}"}\n\n`;

async function streamed(answering: Answering) {
  await using server = await loopback(answering);
  await using side = clientOf(server.origin);
  const heard = listening();
  const outcome = await side.client.changes(heard.listener, signal).then(
    () => "ended",
    (error: unknown) => error,
  );
  return { ...heard, outcome, seen: server.seen };
}

const stream =
  (text: string, type = "text/event-stream"): Answering =>
  (_, response) => {
    response.writeHead(200, { "content-type": type });
    response.end(text);
  };

describe("a stream of changes", () => {
  it("brings versions, in whatever pieces it comes, and signs of life", () => {
    const text = `: hello\n\n${event("a.1")}retry: 5\nid: x\nevent: list\r\ndata:{"version":\r\ndata: "é"}\r\n\r\n`;
    const more = `event: other\ndata: {"version":"no"}\n\ndata: {"version":"no"}\n\n${event("a.2")}`;
    const bytes = Buffer.from(text + more);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const { listener, versions, beats } = listening();
        const reader = new EventReader(listener, () => {});
        const at = [...new Set([0, ...cuts.sort((a, b) => a - b), bytes.length])];
        for (const [index, from] of at.entries()) {
          const piece = bytes.subarray(from, at[index + 1]);
          if (piece.length > 0) reader.read(piece);
        }
        return versions.join() === "a.1,é,a.2" && beats() >= 1;
      }),
    );
  });

  it("ignores events that say nothing usable", () => {
    const { listener, versions } = listening();
    const reader = new EventReader(listener, () => {});
    for (const data of ["", "{}", "7", "null", '{"version":7}', "{", '["version"]'])
      reader.read(Buffer.from(`event: list\ndata: ${data}\n\n`));
    expect(versions).toEqual([]);
  });

  it("goes with the key, the version and the credentials of every request, and asks for events", async () => {
    const { versions, outcome, seen } = await streamed(
      stream(event("1"), "text/event-stream; charset=utf-8"),
    );
    expect([outcome, versions]).toEqual(["ended", ["1"]]);
    const [request] = seen;
    expect(request?.headers["accept"]).toBe("text/event-stream");
    expect(request?.path).toMatch(/\/shows\/timers\/changes$/);
    for (const name of ["api_key", "application_version", "email_address", "token"])
      expect(request?.query[name]).toBeTruthy();
  });

  it.each([
    ["a page", stream("<html>portal</html>", "text/html"), "GUIDE_ANSWER_UNEXPECTED"],
    ["a list", stream('{"timers":[]}', "application/json"), "GUIDE_ANSWER_UNEXPECTED"],
    ["404", (_, response) => void response.writeHead(404).end(), "GUIDE_NOT_FOUND"],
    ["401", (_, response) => void response.writeHead(401).end(), "GUIDE_SIGN_IN_NEEDED"],
    [
      "a redirect",
      (_, response) => void response.writeHead(307, { location: "/elsewhere" }).end(),
      "GUIDE_ANSWER_UNEXPECTED",
    ],
    ["503", (_, response) => void response.writeHead(503).end(), "GUIDE_UNAVAILABLE"],
  ] as readonly (readonly [string, Answering, string])[])(
    "that is %s fails, and nothing of it is heard",
    async (_name, answering, code) => {
      const { outcome, versions, beats, seen } = await streamed(answering);
      expect(outcome).toMatchObject({ code });
      expect(JSON.stringify(outcome)).not.toContain("token=");
      expect([versions, beats(), seen.length]).toEqual([[], 0, 1]);
    },
  );

  it("with an endless line is refused after a few kilobytes", async () => {
    let sent = 0;
    const { outcome, versions } = await streamed((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = () => {
        sent += 1000;
        if (!response.destroyed) response.write("x".repeat(1000), () => setImmediate(more));
      };
      more();
    });
    expect(outcome).toMatchObject({ code: "GUIDE_DOCUMENT_INVALID" });
    expect(versions).toEqual([]);
    expect(sent).toBeLessThan(10_000_000);
  });

  it("with an endless event is refused too", () => {
    let isTooLong = false;
    const reader = new EventReader(listening().listener, () => {
      isTooLong = true;
    });
    for (let line = 0; line < 100; line += 1) reader.read(Buffer.from(`data: ${"x".repeat(100)}\n`));
    expect(isTooLong).toBe(true);
  });

  it("that never ends is opened again after a megabyte", async () => {
    const { outcome, versions } = await streamed((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      let count = 0;
      const more = () => {
        count += 1000;
        const text = Array.from({ length: 1000 }, (_one, n) => event(String(count + n))).join("");
        if (!response.destroyed) response.write(text, () => setImmediate(more));
      };
      more();
    });
    expect(outcome).toBe("ended");
    expect(versions.length * event("1000").length).toBeLessThan(2 * GUIDE_WIRE_LIMITS.changesBytes);
  });
});

describe("an unchanged list", () => {
  const DATE = new Date(NOW).toUTCString();

  async function polled(answers: readonly Answering[]) {
    let turn = 0;
    const server = await loopback((request, response) => answers[turn++]?.(request, response));
    const side = clientOf(server.origin);
    return {
      account: guideAccount(side.client, { regionId: 1 }),
      tags: () => server.seen.map(({ headers }) => headers["if-none-match"]),
      [Symbol.asyncDispose]: async () => {
        await side[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  const tagged =
    (etag: string, timers: readonly unknown[] = [TIMER]): Answering =>
    (_, response) => {
      response.writeHead(200, { Date: DATE, ETag: etag, "content-type": "application/json" });
      response.end(JSON.stringify({ timers }));
    };
  const unchanged: Answering = (_, response) => {
    response.writeHead(304, { Date: new Date(NOW + 60_000).toUTCString() }).end();
  };

  it("is the last one, with the service's time of now", async () => {
    await using side = await polled([tagged('W/"a"'), unchanged, unchanged]);
    const first = await side.account.timers(signal);
    const second = await side.account.timers(signal);
    expect(first.serverTime).toBe(NOW);
    expect(second).toEqual({ ...first, serverTime: NOW + 60_000 });
    await side.account.timers(signal);
    expect(side.tags()).toEqual([undefined, 'W/"a"', 'W/"a"']);
  });

  it("is not possible when the whole list is asked for", async () => {
    await using side = await polled([tagged('"a"'), tagged('"b"', []), unchanged]);
    await side.account.timers(signal);
    expect(await side.account.timers(signal, { isWhole: true })).toMatchObject({ timers: [] });
    expect(await side.account.timers(signal)).toMatchObject({ timers: [] });
    expect(side.tags()).toEqual([undefined, undefined, '"b"']);
  });

  it("is a failure from a service that was not asked that way", async () => {
    await using side = await polled([unchanged]);
    expect(await rejection(side.account.timers(signal))).toMatchObject({ code: "GUIDE_ANSWER_UNEXPECTED" });
  });

  it.each(["a", '"a', `"${"x".repeat(300)}"`, '"ü"', "*", '"a", "b"'])(
    "is not asked for by an unusable tag: %s",
    async (etag) => {
      await using side = await polled([tagged(etag), tagged('"b"')]);
      await side.account.timers(signal);
      await side.account.timers(signal);
      expect(side.tags()).toEqual([undefined, undefined]);
    },
  );

  it("is not asked for after a list with an unreadable timer, or an empty answer", async () => {
    const bad = { ...TIMER, start_time: "soon" };
    const missing: Answering = (_, response) => void response.writeHead(404).end("{}");
    await using side = await polled([tagged('"a"', [bad]), tagged('"b"'), missing, unchanged]);
    for (let polls = 0; polls < 3; polls += 1) await side.account.timers(signal);
    await rejection(side.account.timers(signal));
    expect(side.tags()).toEqual([undefined, undefined, '"b"', undefined]);
  });
});
