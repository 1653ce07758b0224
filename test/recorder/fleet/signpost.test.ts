import { expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { Web } from "../../../src/recorder/config/web.ts";
import { openSignpost } from "../../../src/recorder/fleet/signpost.ts";
import { freePort } from "../../free-port.ts";

const clock = systemClock();

async function asked(signpost: { leader: string; web: string }, path: string, method = "GET") {
  const port = await freePort();
  const parts = { look: () => signpost, clock, log: silentLog };
  await using _open = await openSignpost({ web: Web.parse({ port }) }, parts);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: "manual" });
  return { status: answer.status, to: answer.headers.get("location"), text: await answer.text() };
}

const LEADER = { leader: "cellar", web: "http://192.0.2.5:8790" };

it("leads to the same place at the leader, whatever is asked", async () => {
  expect(await asked(LEADER, "/")).toMatchObject({ status: 307, to: "http://192.0.2.5:8790/" });
  expect(await asked(LEADER, "/recordings?at=1%202")).toMatchObject({
    to: "http://192.0.2.5:8790/recordings?at=1+2",
  });
  expect(await asked(LEADER, "/v1/sync", "POST")).toMatchObject({ status: 307, to: `${LEADER.web}/v1/sync` });
  // The place is the leader's, whatever the path pretends.
  expect((await asked(LEADER, "//other.example/x")).to).toMatch(/^http:\/\/192\.0\.2\.5:8790\//);
});

it.each(["/metrics", "/healthz", "/readyz"])("answers for itself at %s", async (path) => {
  expect(await asked(LEADER, path)).toEqual({
    status: 503,
    to: null,
    text: "This recorder stands by for its fleet; cellar leads: its dashboard is on that machine.\n",
  });
});

it("says who leads where other machines do not reach the leader's dashboard", async () => {
  expect((await asked({ leader: "cellar", web: "" }, "/")).text).toContain("cellar leads");
  expect((await asked({ leader: "", web: "" }, "/")).text).toContain("no node leads at present");
});

it("lets a node run whose address is in use", async () => {
  const port = await freePort();
  const said: string[] = [];
  const parts = {
    look: () => LEADER,
    clock,
    log: { ...silentLog, warn: (text: string) => void said.push(text) },
  };
  const web = Web.parse({ port });
  await using _first = await openSignpost({ web }, parts);
  await using _second = await openSignpost({ web }, parts);
  expect(said).toEqual(["nobody is led to the dashboard of the leader"]);
});
