import { join } from "node:path";
import { expect, it } from "vitest";
import { openDocumentStore } from "../../src/recorder/store/document-store.ts";
import { emptyNews, NEWS_VERSION, parseNews } from "../../src/recorder/subsystems/notify/core/document.ts";
import { webReceiver } from "../recorder/subsystems/notify/receivers.ts";
import { pause, Recorder, temporaryFolder } from "./recorder.ts";

const NOBODY = "http://127.0.0.1:9";

it("undelivered notifications survive a kill -9 and are repeated with the same id until accepted", async () => {
  await using folder = await temporaryFolder();
  let answersWith: number | undefined;
  await using web = await webReceiver(() => answersWith);
  await using recorder = await Recorder.install({
    folder: folder.path,
    home: { world: { guideUrl: NOBODY }, token: "t", deviceId: 1 },
    tuners: [{ kind: "mock", id: "sim", broadcaster: NOBODY }],
    more: {
      space: { lowBytes: Number.MAX_SAFE_INTEGER, stopBytes: 1 },
      notify: [{ kind: "webhook", id: "home", url: `http://127.0.0.1:${web.port}`, on: ["disk"] }],
    },
  });
  const ids = () => web.received.map(({ body }) => JSON.parse(body).id);
  const until = async (holds: () => boolean) => {
    while (!holds()) await pause(50);
  };

  recorder.launch();
  await until(() => ids().length === 1);
  await recorder.kill();
  answersWith = 200;
  recorder.launch();
  await until(() => recorder.said.includes("a notification was sent"));
  expect(ids()).toEqual([ids()[0], ids()[0]]);
  expect(JSON.parse(web.received[0]?.body ?? "")).toMatchObject({
    kind: "disk",
    title: "The disk is nearly full",
  });

  // The news is sent: a further life has nothing to send.
  let stored = emptyNews(0);
  do {
    await using store = await openDocumentStore({
      file: join(recorder.data, "notify.json"),
      schemaVersion: NEWS_VERSION,
      parse: (news, _past, version) => parseNews(news, version),
      empty: () => emptyNews(0),
    });
    stored = store.current;
    await pause(50);
  } while (stored.waiting.length > 0);
  expect(stored.conditions).toHaveProperty("disk-low");
  expect(ids()).toHaveLength(2);
});
