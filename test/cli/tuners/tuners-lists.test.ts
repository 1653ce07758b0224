import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readSecrets, writeSecrets } from "../../../src/recorder/config/secrets.ts";
import { readChannelList } from "../../../src/recorder/tune/channel-lists/read.ts";
import { type Hosted, hosted } from "../../guide-server/hosted.ts";
import { startStation } from "../../recorder/capture/station.ts";
import { commandLine } from "../command-line.ts";

const LISTS = "test/fixtures/channel-lists";
const API_KEY = "key of the application";

let service: Hosted;
let folder = "";
let config = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-tuners-"));
  config = join(folder, "recorderd.yaml");
  service = await hosted({ apiKey: API_KEY });
  const data = join(folder, "data");
  await mkdir(data);
  await writeSecrets(data, { apiKey: API_KEY, account: { email: service.email, token: service.token } });
  await writeFile(
    config,
    stringify({
      guide: { url: service.baseUrl, regionId: 1 },
      recordings: { folder },
      data: { folder: data },
      tuners: [{ kind: "mock", id: "sim", broadcaster: "http://127.0.0.1:1" }],
    }),
  );
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe("recorderd tuners import", () => {
  it("describes the contents of a list, and names the unused lines", async () => {
    const { out, err, code } = await commandLine(["tuners", "import", `${LISTS}/vdr-channels.conf`]);
    expect(code).toBe(0);
    expect(out).toBe(
      `${LISTS}/vdr-channels.conf (vdr): 6 services, 5 with a whole triplet; 2 lines not used`,
    );
    expect(err.split("\n")).toHaveLength(2);
    expect(err).toContain(`${LISTS}/vdr-channels.conf:12: expected 13 fields with colons between, found 3`);
  });

  it("writes a private list that can be read again", async () => {
    const file = join(folder, "lists", "mine.json");
    await commandLine(["tuners", "import", `${LISTS}/dvbv5.conf`, "--out", file]);
    expect((await readChannelList(file)).services.map(({ name }) => name)).toEqual([
      "ABC TV",
      "Das Erste HD",
      "Only a SID",
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("matches the channels of the guide, and names the channels that are not in the list", async () => {
    const { out, code } = await commandLine(
      ["tuners", "import", `${LISTS}/vdr-channels.conf`, "--config", config],
      {
        clock: service.clock,
      },
    );
    expect(code).toBe(0);
    expect(out).toContain("NOT FOUND");
    const target = join(folder, "data", "channel-lists", "vdr-channels.conf.json");
    expect(out).toContain(`wrote ${target}`);
    expect((await readFile(target, "utf8")).split("\n")[0]).toBe('{"format":"recorderd","services":[');
  });

  it("writes nothing with --check", async () => {
    const { out } = await commandLine(
      ["tuners", "import", `${LISTS}/lamedb`, "--config", config, "--name", "box", "--check", "--json"],
      { clock: service.clock },
    );
    expect(JSON.parse(out)).toMatchObject({ format: "enigma2", services: 5, withTriplet: 5 });
    await expect(stat(join(folder, "data", "channel-lists", "box.json"))).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  it("refuses a file that is no channel list", async () => {
    const { err, code } = await commandLine(["tuners", "import", "package.json"]);
    expect({ code, err }).toEqual({
      code: 65,
      err: 'package.json:1: expected {"format": "recorderd", "services": […]} as JSON',
    });
    expect((await commandLine(["tuners", "import", "LICENSE"])).code).toBe(65);
    expect((await commandLine(["tuners", "import", "absent"])).code).toBe(66);
  });
});

describe("recorderd tuners login", () => {
  const login = (tuner: string, stdin: string) =>
    commandLine(["tuners", "login", tuner, "rec", "--config", config], { stdin });

  it("R-39 stores a password with the account's secrets, and prints it nowhere", async () => {
    const { out, err, code } = await login("sim", "pass word\n");
    expect(code).toBe(0);
    expect(out + err).not.toContain("pass word");
    expect(await readSecrets(join(folder, "data"))).toEqual({
      apiKey: API_KEY,
      account: { email: service.email, token: service.token },
      tuners: { sim: { user: "rec", password: "pass word" } },
    });
  });

  it("refuses an unknown tuner and an empty password", async () => {
    expect((await login("other", "x")).code).toBe(64);
    expect((await login("sim", "")).code).toBe(64);
  });
});

describe("recorderd tuners scan", () => {
  it("lists the services in a file", async () => {
    const { out, code } = await commandLine(["tuners", "scan", "test/fixtures/ts/french-dvbt-si.ts"]);
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.split(/\s{2,}/).slice(0, 3))).toEqual([
      ["TRIPLET", "LCN", "NAME"],
      ["8442/4/1025", "6", "M6"],
      ["8442/4/1026", "9", "W9"],
      ["8442/4/1031", "7", "Arte"],
      ["8442/4/1045", "5", "France 5"],
      ["8442/4/1046", "22", "6ter"],
    ]);
  });

  it("writes a channel list from the services that an address sends", async () => {
    await using station = await startStation({
      mux: (response) => {
        response.writeHead(200, { "content-type": "video/mp2t" });
        createReadStream("test/fixtures/ts/rai-dvbt-mux.ts").pipe(response);
      },
    });
    const { out, code } = await commandLine(["tuners", "scan", station.url("mux"), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out).services).toContainEqual(
      expect.objectContaining({ name: "Rai 1", ids: { onid: 318, tsid: 18_432, sid: 3401 } }),
    );
    const absent = await commandLine(["tuners", "scan", station.url("absent?token=secret")]);
    expect(absent.code).toBe(69);
    expect(absent.err).not.toContain("secret");
  });

  it("refuses other addresses, and an address that does not answer", async () => {
    expect((await commandLine(["tuners", "scan", "udp://127.0.0.1:1"])).code).toBe(69);
    expect((await commandLine(["tuners", "scan", "http://127.0.0.1:1/x"])).code).toBe(69);
  });
});
