import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeSecretsFile } from "../../src/recorder/config/secrets.ts";
import { readLedger } from "../../src/recorder/store/ledger.ts";
import { type Hosted, hosted, SHOW_ID } from "../guide-server/hosted.ts";
import { commandLine, type Outcome } from "./command-line.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const API_KEY = "key of the application";
const BY_SHOW = ["--show", String(SHOW_ID), "--device", "1"];
const LATE = ["--channel", "8", "--start", "2026-11-20T23:30+11:00", "--minutes", "90", "--device", "1"];
const LATER = ["--channel", "8", "--start", "2026-11-21T23:30+11:00", "--minutes", "90", "--device", "1"];

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-booking-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function signedIn(service: Hosted): Promise<void> {
  const account = { email: service.email, token: service.token };
  await writeSecretsFile(join(folder, "secrets.yaml"), { apiKey: API_KEY, account });
}

const add = (url: string, order: readonly string[]) => [
  ...["guide", "timers", "add", ...order, "--json"],
  ...["--url", url, "--secrets", join(folder, "secrets.yaml")],
];

const idIn = ({ out }: Outcome): string => JSON.parse(out).timers[0].id;

async function noted(): Promise<readonly string[]> {
  const facts = [];
  for await (const { fact } of readLedger(join(folder, "bookings"))) facts.push(fact);
  return facts;
}

describe("R-17 a booking whose answer was lost", () => {
  it.each([
    ["by show", BY_SHOW],
    ["by channel, start and length", LATER],
  ])("is found again %s, and not sent twice", async (_how, order) => {
    // Every other answer to an order is lost: that of the second one here.
    await using service = await hosted({ apiKey: API_KEY, misbehave: { kinds: ["lost-answer"], seed: 1 } });
    await signedIn(service);
    const run = (what: readonly string[]) =>
      commandLine(add(service.baseUrl, what), { clock: service.clock });
    const first = idIn(await run(LATE));
    const second = await run(order);
    expect({ code: second.code, err: second.err }).toEqual({ code: 0, err: "" });
    const held = (await service.server.timers(service.email)).map(({ id }) => id);
    expect([...held].sort()).toEqual([first, idIn(second)].sort());
    expect(await noted()).toEqual(["booking", "booked", "booking", "booked"]);
  });

  it("does not disturb fifteen simultaneous bookings, which all succeed", async () => {
    await using service = await hosted({ apiKey: API_KEY });
    await signedIn(service);
    const orders = Array.from({ length: 15 }, (_, index) => [
      ...["--channel", "8", "--start", `2026-11-21T${String(index).padStart(2, "0")}:30+00:00`],
      ...["--minutes", "30", "--device", "1"],
    ]);
    const done = await Promise.all(
      orders.map((order) => commandLine(add(service.baseUrl, order), { clock: service.clock })),
    );
    expect(done.map(({ code, err }) => ({ code, err }))).toEqual(orders.map(() => ({ code: 0, err: "" })));
    expect(await service.server.timers(service.email)).toHaveLength(15);
  });

  it("is found by the next command if the process was killed before the answer", async () => {
    await using service = await hosted({ apiKey: API_KEY });
    await signedIn(service);
    await using way = await between(service.baseUrl);
    const { code } = await way.killedAtAnswer(add(way.url, LATE));
    expect(code).toBe("SIGKILL");
    expect(await noted()).toEqual(["booking"]);
    const [timer] = await service.server.timers(service.email);
    const again = await commandLine(add(way.url, LATE), { clock: service.clock });
    expect(idIn(again)).toBe(timer?.id);
    expect(again.err).toContain("The service already has this timer");
    expect(await service.server.timers(service.email)).toHaveLength(1);
    // An order noted as made does not block a second order after somebody deleted the first.
    expect(await noted()).toEqual(["booking", "booked"]);
  });

  it("is sent again if the first request never arrived", async () => {
    await using service = await hosted({ apiKey: API_KEY });
    await signedIn(service);
    const lost = await commandLine(add("http://127.0.0.1:1", LATE), { clock: service.clock });
    expect(lost.code).not.toBe(0);
    expect(lost.err).toContain("run the same command again to find or to repeat it");
    const again = await commandLine(add(service.baseUrl, LATE), { clock: service.clock });
    expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: "" });
    expect(await service.server.timers(service.email)).toHaveLength(1);
  });

  it("is not searched for after the service refused it", async () => {
    await using service = await hosted({ apiKey: API_KEY });
    await signedIn(service);
    const refused = await commandLine(add(service.baseUrl, ["--show", "999", "--device", "1"]), {
      clock: service.clock,
    });
    expect(refused.code).not.toBe(0);
    expect(refused.err).not.toContain("not known");
    expect(await noted()).toEqual(["booking", "booking-refused"]);
  });
});

interface Between extends AsyncDisposable {
  readonly url: string;
  /** Runs the command line, and kills it when the service has answered its order, before the answer arrives. */
  killedAtAnswer(args: readonly string[]): Promise<{ readonly code: NodeJS.Signals | null }>;
}

/** Something on the way to the service that passes everything on. */
async function between(target: string): Promise<Between> {
  let victim: ChildProcess | undefined;
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "GET", url = "/", headers } = request;
    const { accept = "", "content-type": type = "application/json" } = headers;
    const body = parts.length === 0 ? {} : { body: Buffer.concat(parts) };
    const answer = await fetch(new URL(url, target), {
      method,
      headers: { accept, "content-type": type },
      ...body,
    });
    const text = await answer.text();
    if (method === "POST" && victim !== undefined) victim.kill("SIGKILL");
    else
      response
        .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
        .end(text);
  };
  const server = createServer((request, response) => void pass(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    killedAtAnswer: async (args) => {
      victim = spawn(process.execPath, [MAIN, ...args], { stdio: "ignore" });
      const code = await new Promise<NodeJS.Signals | null>((resolve) =>
        victim?.once("close", (_code, name) => resolve(name)),
      );
      victim = undefined;
      return { code };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("an order without a recorder", () => {
  it("goes to the account's only one; several are listed for a choice", async () => {
    await using service = await hosted({ apiKey: API_KEY });
    await signedIn(service);
    const run = (line: readonly string[]) => commandLine(line, { clock: service.clock });
    const record = add(service.baseUrl, ["--show", String(SHOW_ID)]);
    expect(JSON.parse((await run(record)).out).timers).toMatchObject([{ device_id: 1 }]);
    const access = ["--url", service.baseUrl, "--secrets", join(folder, "secrets.yaml")];
    const attic = ["--uid", "02:00:00:00:00:42", "--label", "Attic", "--type", "2"];
    expect(await run(["guide", "devices", "add", ...attic, ...access])).toMatchObject({ code: 0 });
    const { err, code } = await run(record);
    expect(err).toMatch(/choose one of the account's recorders with --device ID: 1 \(.+\), \d+ \(Attic\)/);
    expect(code).toBe(64);
  });
});
