import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT_MEANINGS, exitCodeOf } from "../../../src/cli/exit-codes.ts";
import { ERRORS, type ErrorCode } from "../../../src/model/errors.ts";
import { writeSecretsFile } from "../../../src/recorder/config/secrets.ts";
import { type Answering, loopback } from "../../guide-wire/loopback.ts";
import { commandLine, type Outcome } from "../command-line.ts";

const API_KEY = "k3y/+ of the application";
const TOKEN = "t0ken&=of the account";
const EMAIL = "viewer+tv@example.org";

let folder = "";
let secrets = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-errors-"));
  secrets = join(folder, "secrets.yaml");
  await writeSecretsFile(secrets, { apiKey: API_KEY, account: { email: EMAIL, token: TOKEN } });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** `recorderd guide …` against a service that answers so; no secret may be shown. */
async function against(answering: Answering, ...args: readonly string[]): Promise<Outcome> {
  await using server = await loopback(answering);
  return await at(server.origin, ...args);
}

async function at(url: string, ...args: readonly string[]): Promise<Outcome> {
  const outcome = await commandLine(["guide", ...args, "--url", url, "--secrets", secrets], { columns: 80 });
  const said = outcome.out + outcome.err;
  for (const secret of [API_KEY, TOKEN]) {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams([["", secret]]).toString().slice(1),
    ]) {
      expect(said).not.toContain(form);
    }
  }
  return outcome;
}

const TIMERS = ["timers", "list"];

interface Row {
  readonly status: number;
  readonly exit: number;
  readonly says: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const REFUSED = '{"error":{"status":406,"code":"not_acceptable","message":"No.","field":"state"}}';
const ROWS: readonly Row[] = [
  { status: 302, exit: 76, says: /302: this status is not part of the protocol; check the address/ },
  { status: 401, exit: 77, says: /401: .*\[GUIDE_SIGN_IN_NEEDED\]\n {2}Sign in with the same/ },
  { status: 403, exit: 77, says: /403: .*check the api key .*\[GUIDE_FORBIDDEN\]\n {2}`recorderd login`/ },
  {
    status: 404,
    exit: 1,
    says: /404: .*\[GUIDE_NOT_FOUND\]\n {2}The identifier is wrong or the record was deleted/,
  },
  { status: 405, exit: 76, says: /405: .*\[GUIDE_METHOD_REFUSED\]\n {2}The service does not offer/ },
  { status: 406, exit: 65, says: /406: .*\[GUIDE_NOT_ACCEPTABLE\]\n {2}Correct what the service names/ },
  {
    status: 406,
    body: REFUSED,
    exit: 65,
    says: /it says: No\..*\n {2}Correct the field state, and try again/,
  },
  { status: 415, exit: 76, says: /415: .*\[GUIDE_MEDIA_TYPE_REFUSED\]\n {2}Choose the format with --wire/ },
  { status: 429, exit: 69, says: /429: it received too many requests; try again later/ },
  { status: 503, exit: 69, says: /503: it is not available at the moment; try again later/ },
  { status: 503, headers: { "retry-after": "90" }, exit: 69, says: /503: .*\n {2}Try again in 1 min 30 s\./ },
  {
    status: 200,
    body: "<!doctype html><p>Hello",
    exit: 76,
    says: /HTML page.*\n {2}The answer is a web page: check the whole address/,
  },
  {
    status: 404,
    body: "<!doctype html><p>Hello",
    exit: 1,
    says: /404: .*\n {2}The answer is a web page: check the whole address/,
  },
  { status: 200, body: '{"timers":[', exit: 76, says: /torn.*\[GUIDE_DOCUMENT_TORN\]\n {2}Try again/ },
  {
    status: 200,
    body: '{"regions":[]}',
    exit: 76,
    says: /no list timers \[GUIDE_DOCUMENT_INVALID\]\n {2}Check the address/,
  },
];

describe("a guide command that the service rejects", () => {
  it.each(ROWS)("explains $status $headers $body and the remedy, and exits with $exit", async (row) => {
    const { status, exit, says, headers = {}, body = "" } = row;
    const outcome = await against((_, response) => response.writeHead(status, headers).end(body), ...TIMERS);
    expect(outcome).toMatchObject({ out: "", code: exit });
    expect(outcome.err).toMatch(says);
  });

  it("exits with 69 without an answer, and names the address without its query", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const address = closed.address() as { readonly port: number };
    await new Promise((resolve) => closed.close(resolve));
    const { err, code } = await at(`http://127.0.0.1:${address.port}/api`, ...TIMERS);
    expect(code).toBe(69);
    expect(err).toContain(`http://127.0.0.1:${address.port}: no connection; check the address`);
  });

  it("R-39 hides secrets when the service echoes the request in its refusal", async () => {
    const echo: Answering = ({ query }, response) => {
      const message = `you sent ${JSON.stringify(query)} and ${new URLSearchParams(query)}`;
      response.writeHead(406).end(JSON.stringify({ error: { status: 406, code: "no", message } }));
    };
    const { err } = await against(echo, ...TIMERS);
    expect(err).toContain("[secret]");
  });

  it("has an exit code with a meaning for every failure", () => {
    const meant = EXIT_MEANINGS.map(([exit]) => exit);
    expect((Object.keys(ERRORS) as ErrorCode[]).filter((code) => !meant.includes(exitCodeOf(code)))).toEqual(
      [],
    );
  });
});

describe("a requested record that is missing from a successful answer", () => {
  it.each([
    ["region 5", ["region", "5"], '{"regions":[]}'],
    ["manufacturer 5", ["manufacturers", "5"], '{"manufacturers":[]}'],
    ["device 5", ["devices", "show", "5"], '{"devices":[]}'],
    ["timer 5", ["timers", "show", "5"], '{"timers":[]}'],
  ])("is reported as not found: %s", async (what, args, body) => {
    const { out, err, code } = await against((_, response) => response.end(body), ...args);
    expect([out, code]).toEqual(["", 1]);
    expect(err).toContain(`lacks ${what}`);
  });

  it("is reported as a fault of the service if it is unreadable", async () => {
    const body = '{"timers":[{"id":"5"}]}';
    const { err, code } = await against((_, response) => response.end(body), "timers", "show", "5");
    expect(code).toBe(76);
    expect(err).toContain("timer 5 cannot be read: its field device_id is missing");
  });
});

describe("a change that the service confirms without a document", () => {
  it.each([
    ["device 5: changed", ["devices", "set", "5", "--label", "Den"]],
    ["timer 7: changed", ["timers", "set", "7", "--state", "running"]],
  ])("succeeds: %s", async (done, args) => {
    const { out, code } = await against((_, response) => response.end(), ...args);
    expect([out, code]).toEqual([done, 0]);
  });
});

const GOOD = {
  id: "7",
  name: "News",
  device_id: 1,
  channel_id: 2,
  start_time: "soon",
  duration_minutes: 30,
  action: "record",
  state: "waiting",
};

describe("a list with unreadable records", () => {
  it("is shown without them, with the reason for each", async () => {
    const body = JSON.stringify({ timers: [{ ...GOOD, id: "6", channel_id: "x" }, GOOD, 5] });
    for (const more of [[], ["--json"]]) {
      const { out, err, code } = await against((_, response) => response.end(body), ...TIMERS, ...more);
      expect(code).toBe(0);
      expect(out).toContain("News");
      expect(err).toBe(
        "an entry of timers (id 6) is left out: its field channel_id is not a number\n" +
          "an entry of timers (without id) is left out: it is not an object of fields",
      );
    }
  });

  it("keeps a channel if only some of its triplets are invalid", async () => {
    const dvb = [{ original_network_id: 70_000, transport_stream_id: 1, service_id: 1 }];
    const body = JSON.stringify({ regions: [], channels: [{ id: 2, name: "ABC", dvb }] });
    const { out, err } = await against((_, response) => response.end(body), "channels");
    expect(out).toContain("ABC");
    expect(err).toMatch(
      /^a triplet of channel 2 is left out: its field dvb\.0\.original_network_id is too large$/,
    );
  });

  it("names at most twenty of them", async () => {
    const body = JSON.stringify({ timers: Array.from({ length: 1000 }, () => 5) });
    const { err } = await against((_, response) => response.end(body), ...TIMERS);
    expect(err.split("\n")).toHaveLength(21);
    expect(err).toMatch(/\nand 980 more$/);
  });
});

describe("text from the service", () => {
  const NASTY = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202ered\r\n\u0085 ok";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  const COMMANDS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

  it.each([
    ["a table", TIMERS],
    ["a record", ["timers", "show", "7"]],
    ["JSON", [...TIMERS, "--json"]],
  ])("never controls the terminal: %s", async (_, args) => {
    const nasty = { ...GOOD, name: NASTY, message: NASTY, state: NASTY, start_time: NASTY, [NASTY]: NASTY };
    const body = JSON.stringify({ timers: [nasty, { id: NASTY }] });
    const { out, err, code } = await against((__, response) => response.end(body), ...args);
    expect([code, COMMANDS.test(out), COMMANDS.test(err)]).toEqual([0, false, false]);
    expect(out).toContain("]0;owned");
    if (args.includes("--json")) expect(JSON.parse(out).timers).toEqual([nasty]);
    else for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("never controls the terminal: a refusal", async () => {
    const error = { status: 406, code: "no", message: NASTY, field: NASTY };
    const body = JSON.stringify({ error });
    const { err } = await against((_, response) => response.writeHead(406).end(body), ...TIMERS);
    expect(COMMANDS.test(err)).toBe(false);
    expect(err).toContain("ok");
  });
});

describe("an invalid guide command line", () => {
  const U = ["--url", "http://127.0.0.1:9"];
  it.each([
    ["secrets without a service", ["regions", "--secrets", "x"], "--secrets needs --url"],
    ["an address and a configuration file", ["regions", ...U, "--config", "x"], "cannot be used with"],
    ["an address with another scheme", ["regions", "--url", "ftp://x"], "--url needs an address"],
    ["no address", ["regions", "--url", "x"], "--url needs an address"],
    ["another wire format", ["regions", ...U, "--wire", "yaml"], "Allowed choices are json, xml"],
    ["an identifier in letters", ["region", "x", ...U], "Expected a numeric id"],
    ["a region in letters", ["channels", "x", ...U], "or all"],
    ["an empty identifier", ["timers", "show", "", ...U], "not empty"],
    ["no identifier", ["timers", "show", ...U], "missing required argument 'id'"],
    ["a device without label", ["devices", "add", "--type", "1", ...U], "--label"],
    ["no change of a device", ["devices", "set", "1", ...U], "nothing to change"],
    ["no change of a timer", ["timers", "set", "1", ...U], "nothing to change"],
    ["a timer without a show", ["timers", "add", "--device", "1", ...U], "choose what to record"],
    [
      "a timer without length",
      ["timers", "add", "--channel", "1", "--start", "2026-11-20T10:00Z", ...U],
      "choose what",
    ],
    [
      "a timer of both kinds",
      ["timers", "add", "--show", "1", "--channel", "1", ...U],
      "cannot be used with",
    ],
    ["a start without zone", ["timers", "add", "--start", "2026-11-20T10:00", ...U], "with time zone"],
    ["R-19 a duration of no minute", ["timers", "add", "--minutes", "0", ...U], "from 1 to"],
    ["negative padding", ["timers", "set", "1", "--pre", "-1", ...U], "whole minutes from 0"],
    ["a command that does not exist", ["unknown"], "unknown command"],
  ])("exits with 64 and the reason: %s", async (_, args, why) => {
    const { out, err, code } = await commandLine(["guide", ...args]);
    expect([out, code]).toEqual(["", 64]);
    expect(err).toContain(why);
  });

  it("exits with 77 without a prompt if account data needs a sign-in", async () => {
    await using server = await loopback((_, response) => response.end());
    const { err, code } = await commandLine(["guide", ...TIMERS, "--url", server.origin]);
    expect([code, server.seen.length]).toEqual([77, 0]);
    expect(err).toContain("run `recorderd login`");
  });

  it("exits with 78 if others can read the secrets", async () => {
    const file = join(folder, "open.yaml");
    await writeFile(file, "apiKey: k\n", { mode: 0o644 });
    const { err, code } = await commandLine([
      "guide",
      "regions",
      "--url",
      "http://127.0.0.1:9",
      "--secrets",
      file,
    ]);
    expect(code).toBe(78);
    expect(err).toContain(`chmod 600 ${file}`);
  });
});

describe("docs/dev/guide-cli.md", () => {
  it("contains the table of exit codes from the code", async () => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    const mine = codes.filter((code) =>
      /^(GUIDE_|CONFIG_|FILE_UNREADABLE|WRITE_FAILED|DISK_FULL)/.test(code),
    );
    const table = EXIT_MEANINGS.map(([exit, meaning]) => {
      const names = mine.filter((code) => exitCodeOf(code) === exit).map((code) => `\`${code}\``);
      return `| ${exit} | ${meaning} | ${names.join(" ")} |`;
    });
    expect(await readFile("docs/dev/guide-cli.md", "utf8")).toContain(table.join("\n"));
  });
});
