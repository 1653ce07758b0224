import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectCommand } from "../../../src/cli/recordings/inspect.ts";

const RAI = "test/fixtures/ts/rai-dvbt-mux.ts";

async function run(...args: readonly string[]): Promise<{ readonly text: string; readonly code: number }> {
  let text = "";
  let code = 0;
  const print = (more: string) => {
    text += more;
  };
  const exitCode = (given: number) => {
    code = given;
  };
  const command = inspectCommand({ print, exitCode })
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await command.parseAsync([...args], { from: "user" });
  return { text, code };
}

describe("recorderd inspect", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recorderd-cli-inspect-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("describes the file in lines", async () => {
    const { text, code } = await run(RAI, "--service", "318/18432/3401");
    expect(code).toBe(0);
    expect(text).toContain("3,760,000 bytes, 20,000 packets (638 null packets)");
    expect(text).toContain("transport stream 18432, original network 318");
    expect(text).toContain("0 continuity errors");
    expect(text).toContain("service 3401: 1.");
    expect(text).toContain("3401  Rai 1 (Rai)");
    expect(text).toContain("PID 650  audio: MPEG-2 audio (ita)");
    expect(text).toContain("present  2022-01-16T09:55:00+00:00  55 min  Santa Messa");
    expect(text).not.toContain("PIDs with errors");
  });

  it("gives the whole result as JSON", async () => {
    const { text } = await run(RAI, "--json");
    expect(JSON.parse(text)).toMatchObject({
      packets: 20_000,
      transportStreamId: 18_432,
      spans: [{ start: 0 }],
    });
  });

  it("reports an unknown length for a file without clocks", async () => {
    const { text } = await run("test/fixtures/ts/french-dvbt-si.ts");
    expect(text).toContain("no clock of a service found");
    expect(text).toContain("broadcast time from 2019-01-22T12:51:09+00:00");
  });

  it("reports packets cut at both ends, damaged packets and junk", async () => {
    const file = join(folder, "cut.ts");
    const bytes = await readFile(RAI);
    bytes[188 * 1000] = 0;
    await writeFile(
      file,
      Buffer.concat([
        bytes.subarray(100, 188 * 2000),
        Buffer.alloc(939),
        bytes.subarray(188 * 2000, 188 * 3000 + 50),
      ]),
    );
    const { text } = await run(file);
    expect(text).toContain("1 damaged packet, 939 bytes of junk");
    expect(text).toContain("begins inside a packet: 88 bytes before the first whole one");
    expect(text).toContain("ends inside a packet: 50 bytes after the last whole one");
  });

  it("exits with 65 if the file is no transport stream", async () => {
    const file = join(folder, "text.ts");
    await writeFile(file, "no transport stream\n".repeat(100));
    const { text, code } = await run(file);
    expect(code).toBe(65);
    expect(text).toBe(`${file}: not a transport stream (no packet found in 2000 bytes)`);
  });

  it("names the kind of content if it is a known one", async () => {
    const file = join(folder, "page.ts");
    await writeFile(file, `<!DOCTYPE html><html>${"<p>Sign in</p>".repeat(500)}</html>`);
    const { text, code } = await run(file);
    expect([text, code]).toEqual([`${file}: not a transport stream, but a web page`, 65]);
  });

  it.each([
    [192, "M2TS: 192-byte packets", 4],
    [204, "204-byte packets: each a transport stream packet and 16 bytes of Reed-Solomon parity", 0],
  ])("identifies packets of %i bytes and explains how to convert them", async (size, words, before) => {
    const bytes = await readFile(RAI);
    const packets = Array.from({ length: 100 }, (_, index) => {
      const packet = Buffer.alloc(size, index);
      packet.set(bytes.subarray(188 * index, 188 * (index + 1)), before);
      return packet;
    });
    const file = join(folder, `foreign-${size}.ts`);
    await writeFile(file, Buffer.concat(packets).subarray(77));
    const { text, code } = await run(file);
    expect(code).toBe(65);
    expect(text).toContain(words);
    expect(text).toContain("convert with ffmpeg -i INPUT -map 0 -c copy -f mpegts OUTPUT.ts");
    expect(JSON.parse((await run(file, "--json")).text)).toMatchObject({
      packets: 0,
      foreignPacketBytes: size,
    });
  });

  it("decodes times and texts by the configuration of the network", async () => {
    const config = join(folder, "recorderd.yaml");
    const networks = "networks: [{ id: 0x13e, utcOffsetMinutes: 60, text: iso-8859-1 }]";
    const rest = [
      "guide: { url: https://guide.example/api, regionId: 1 }",
      "recordings: { folder: /srv/recordings }",
      'tuners: [{ kind: url, id: a, services: [{ service: 1/1/1, name: A, url: "http://192.0.2.1/1" }] }]',
    ];
    await writeFile(config, [networks, ...rest].join("\n"));
    const { text } = await run(RAI, "--config", config);
    expect(text).toContain("present  2022-01-16T08:55:00+00:00  55 min  Santa Messa");
  });

  it("throws FILE_UNREADABLE if the file cannot be opened", async () => {
    await expect(run(join(folder, "absent.ts"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("refuses an invalid triplet", async () => {
    await expect(run(RAI, "--service", "3401")).rejects.toMatchObject({ code: "commander.invalidArgument" });
  });
});
