import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { systemZone } from "../../../src/kit/machine/machine.ts";
import { loadConfig } from "../../../src/recorder/config/load.ts";
import { readSecrets, writeSecrets } from "../../../src/recorder/config/secrets.ts";
import { writeSetup } from "../../../src/recorder/setup/write-step.ts";
import { type Hosted, hosted, PASSWORD } from "../../guide-server/hosted.ts";
import { receivers, USER } from "../../recorder/tune/fakes/air.ts";
import { fakeTvheadend } from "../../recorder/tune/fakes/tvheadend.ts";
import { commandLine } from "../command-line.ts";

const API_KEY = "key of the application";
const TUNER = "hdhomerun http://127.0.0.1:1";

let service: Hosted;
beforeAll(async () => {
  service = await hosted({ apiKey: API_KEY });
});
afterAll(() => service[Symbol.asyncDispose]());

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-setup-"));
  file = join(folder, "etc", "recorderd.yaml");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Options of every run in a test. */
function places(): readonly string[] {
  return ["setup", "--config", file, "--data", join(folder, "data"), "--no-discover"];
}

function options(): readonly string[] {
  const recordings = join(folder, "recordings");
  return [
    ...places(),
    "--guide",
    service.baseUrl,
    "--region",
    "2",
    "--tuner",
    TUNER,
    "--recordings",
    recordings,
  ];
}

/** Answers to all questions, in their order. */
function answers(): readonly string[] {
  const { baseUrl, email } = service;
  return [baseUrl, API_KEY, "2", email, PASSWORD, "new", TUNER, "", join(folder, "recordings"), "30", "240"];
}

const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join("");

async function isUntouched(): Promise<boolean> {
  return (await readdir(folder)).length === 0;
}

describe("recorderd setup", () => {
  it("asks, signs in, registers the recorder and writes a valid configuration", async () => {
    const { code, out, err } = await commandLine(places(), { stdin: lines(answers()) });
    expect(code, err).toBe(0);
    expect(out).toBe(`wrote ${file}`);
    const config = await loadConfig(file);
    expect(config.guide).toMatchObject({ url: service.baseUrl, regionId: 2, deviceId: expect.any(Number) });
    expect(config.tuners).toMatchObject([{ kind: "hdhomerun", id: "hdhomerun1" }]);
    expect(config.recordings.padding).toEqual({ beforeSeconds: 30, afterSeconds: 240 });
    expect(config.web).toMatchObject({ host: "127.0.0.1", port: 8790, signIn: "always" });
    const secrets = await readSecrets(join(folder, "data"));
    expect(secrets).toMatchObject({ apiKey: API_KEY, account: { email: service.email } });
    expect(await stat(join(folder, "recordings"))).toMatchObject({ mode: 0o40750 });
    expect(out + err).not.toContain(PASSWORD);
    expect(await readFile(file, "utf8")).not.toContain(API_KEY);
  });

  it("asks for the password of a tuner's server that needs one, and stores it only in the secrets", async () => {
    await using server = await fakeTvheadend(receivers({ count: 1, shared: true }));
    const { baseUrl, email } = service;
    const texts = [baseUrl, API_KEY, "2", email, PASSWORD, "new", `tvheadend ${server.address}`];
    const typed = [...texts, USER.user, USER.password, "", join(folder, "recordings"), "30", "240"];
    const { code, out, err } = await commandLine(places(), { stdin: lines(typed) });
    expect(code, err).toBe(0);
    expect(await readSecrets(join(folder, "data"))).toMatchObject({ tuners: { tvheadend1: USER } });
    expect(await stat(join(folder, "data", "secrets.yaml"))).toMatchObject({ mode: 0o100600 });
    expect(out + err + (await readFile(file, "utf8"))).not.toContain(USER.password);
  });

  it("rejects a wrong password of a tuner's server", async () => {
    await using server = await fakeTvheadend(receivers({ count: 1, shared: true }));
    const { baseUrl, email } = service;
    const texts = [baseUrl, API_KEY, "2", email, PASSWORD, "new", `tvheadend ${server.address}`];
    const { code, err } = await commandLine(places(), { stdin: lines([...texts, USER.user, "wrong"]) });
    expect(code).not.toBe(0);
    expect(err).toContain(`${server.address} rejects this user or password.`);
  });

  it("needs no answers if options give them, and uses the defaults in brackets for the rest", async () => {
    const { code, out } = await commandLine([...options(), "--json"], { stdin: `${API_KEY}\n` });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      file,
      // File names tell the household's time, not UTC.
      config: { recordings: { padding: { afterSeconds: 180 }, nameTimeZone: systemZone() } },
    });
    expect(parse(await readFile(file, "utf8"))).toEqual(JSON.parse(out).config);
    expect(await loadConfig(file)).toMatchObject({ guide: { regionId: 2 }, language: "en" });
  });

  it("keeps an existing configuration without --force, and always keeps tuner passwords", async () => {
    await commandLine(options(), { stdin: `${API_KEY}\n` });
    await writeSecrets(join(folder, "data"), {
      apiKey: "old",
      tuners: { box: { user: "u", password: "p" } },
    });
    const before = await readFile(file, "utf8");
    const kept = await commandLine([...options(), "--region", "1"], { stdin: lines(["no", API_KEY]) });
    expect([kept.code, await readFile(file, "utf8")]).toEqual([0, before]);
    expect(kept.err).toContain("is unchanged");
    const signIn = ["--email", service.email, "--device", "all", "--force"];
    const replaced = await commandLine([...options(), ...signIn], { stdin: lines([API_KEY, PASSWORD]) });
    expect(replaced.code, replaced.err).toBe(0);
    expect(await readFile(`${file}.previous`, "utf8")).toBe(before);
    expect((await stat(`${file}.previous`)).mode & 0o777).toBe(0o600);
    expect(await readSecrets(join(folder, "data"))).toMatchObject({
      account: { email: service.email },
      tuners: { box: { user: "u", password: "p" } },
    });
  });

  it("keeps existing users, and adds the new one", async () => {
    const data = join(folder, "data");
    const config = {
      guide: { url: service.baseUrl, regionId: 1 },
      recordings: { folder: join(folder, "recordings") },
      tuners: [{ kind: "hdhomerun", id: "box", address: "http://127.0.0.1:1" }],
      data: { folder: data },
    };
    const tokens = [{ name: "program", sha256: "0".repeat(64) }];
    const users = ["anna", "ben"].map((name) => ({ name, passwordHash: "old" }));
    await mkdir(data);
    await writeSecrets(data, { apiKey: "old", web: { users, tokens } });
    const user = { name: "anna", passwordHash: "new" };
    await writeSetup({ file, data }, { config, secrets: { apiKey: "new", user } });
    const { apiKey, web } = (await readSecrets(data)) ?? {};
    expect({ apiKey, web }).toEqual({ apiKey: "new", web: { users: [users[1], user], tokens } });
  });

  it("changes nothing if existing secrets are unreadable, because they contain tuner passwords", async () => {
    const data = join(folder, "data");
    await mkdir(data);
    await writeSecrets(data, { apiKey: "old", tuners: { box: { user: "u", password: "p" } } });
    await chmod(join(data, "secrets.yaml"), 0o644);
    const before = await readFile(join(data, "secrets.yaml"), "utf8");
    const { code, err } = await commandLine(options(), { stdin: `${API_KEY}\n` });
    expect([code, await readdir(folder)]).toEqual([78, ["data"]]);
    expect(err).toContain("chmod 600");
    expect(await readFile(join(data, "secrets.yaml"), "utf8")).toBe(before);
  });

  it.each([
    ["an invalid address", ["--guide", "ftp://x"], 64, "--guide"],
    ["a region that the service does not have", ["--region", "9"], 64, "choose one of 1, 2"],
    ["an invalid tuner", ["--tuner", "radio 1"], 64, "--tuner"],
    ["a missing channel list", ["--tuner", "satip 127.0.0.1 /none.conf"], 64, "/none.conf"],
    ["a folder without an absolute path", ["--recordings", "here"], 64, "absolute path"],
    ["padding that is no number", ["--after", "long"], 64, "--after"],
    ["a socket with too long a path", ["--socket", `/${"s".repeat(200)}`], 78, "control.socket"],
  ])("changes nothing for %s", async (_name, wrong, code, says) => {
    const ended = await commandLine([...options(), ...wrong], { stdin: `${API_KEY}\n` });
    expect([ended.code, await isUntouched()]).toEqual([code, true]);
    expect(ended.err).toContain(says);
  });

  it("changes nothing after a wrong password or missing answers", async () => {
    const wrong = answers().with(4, "wrong");
    const refused = await commandLine(places(), { stdin: lines(wrong) });
    expect([refused.code, await isUntouched()]).toEqual([77, true]);
    const short = await commandLine(places(), { stdin: lines(answers().slice(0, 4)) });
    expect([short.code, await isUntouched()]).toEqual([64, true]);
    expect(short.err).toContain("standard input is empty");
  });

  it("does not use the browser if there is a configuration or if options give the answers", async () => {
    const mixed = await commandLine([...places(), "--web", "--guide", service.baseUrl]);
    expect([mixed.code, await isUntouched()]).toEqual([64, true]);
    await mkdir(join(folder, "etc"));
    await writeFile(file, "mine: true\n");
    const { code, err } = await commandLine([...places(), "--web", "127.0.0.1:0"]);
    expect([code, await readFile(file, "utf8")]).toEqual([64, "mine: true\n"]);
    expect(err).toContain("only creates a new configuration");
  });

  it("leaves the previous configuration if the new one cannot be written", async () => {
    await writeFile(join(folder, "etc"), "a file where the folder should be");
    const { code, err } = await commandLine(options(), { stdin: `${API_KEY}\n` });
    expect(code).toBe(74);
    expect(err).toContain("choose another place");
  });

  it("repeats a question after a mistake and hides the password, at a real terminal", async () => {
    const command = [process.execPath, "dist/main.js", ...places()].join(" ");
    const child = spawn("script", ["-qefc", command, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
    const shown = new Shown(child);
    const say = async (question: string, answer: string) => {
      await shown.until(question);
      child.stdin.write(`${answer}\r`);
    };
    const [url = "", key = "", region = "", email = "", password = "", device = "", tuner = ""] = answers();
    await say("guide service", "ftp://nowhere");
    await say("Expected an address", url);
    await say("API key", key);
    await say("Region [1]: ", "7");
    await say("choose one of 1, 2", region);
    await say("E-mail", email);
    await say("Password", "wrong");
    await say("Password", password);
    await say("Device", device);
    await say("Tuner: ", tuner);
    await say("Another tuner", "");
    await say("Folder", join(folder, "recordings"));
    await say("before", "");
    await say("after", "");
    await say("Language", "klingon");
    await say("Expected one of these languages: en", "en");
    expect(await shown.end()).toBe(0);
    expect(shown.text).not.toContain(password);
    expect(shown.text).not.toContain(key);
    expect((await loadConfig(file)).guide.regionId).toBe(2);
  });

  it("reads the lines of a script from a pipe", async () => {
    const child = spawn(process.execPath, ["dist/main.js", ...places()], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.end(lines(answers()));
    const shown = new Shown(child);
    expect(await shown.end()).toBe(0);
    expect(shown.text).toContain(`wrote ${file}`);
    expect((await loadConfig(file)).recordings.padding.afterSeconds).toBe(240);
  });
});

/** The output of a process, read as a person does: each question once. */
class Shown {
  text = "";
  readonly #child: ChildProcess;
  #read = 0;
  #more: () => void = () => {};

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.text += text;
      this.#more();
    });
    child.stdout?.on("close", () => this.#more());
  }

  async until(question: string): Promise<void> {
    for (;;) {
      const at = this.text.indexOf(question, this.#read);
      if (at >= 0) {
        this.#read = at + question.length;
        return;
      }
      if (this.#child.exitCode !== null) throw new Error(`no "${question}" in what was shown:\n${this.text}`);
      await new Promise<void>((resolve) => {
        this.#more = resolve;
      });
    }
  }

  async end(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, "close");
    return this.#child.exitCode;
  }
}
