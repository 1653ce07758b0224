import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAN_BE_ANOTHER_USER } from "./another-user.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
/** nobody */
const USER = 65_534;

let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-fixed-user-"));
  config = join(folder, "recorderd.yaml");
  const text = [
    "guide: { url: 'http://127.0.0.1:9', regionId: 1, deviceId: 2 }",
    `recordings: { folder: ${folder}/recordings }`,
    `data: { folder: ${folder}/data }`,
    "tuners: [{ id: sim, kind: mock, broadcaster: 'http://127.0.0.1:9' }]",
  ];
  await writeFile(config, `${text.join("\n")}\n`);
  const data = join(folder, "data");
  await mkdir(data);
  for (const place of [config, data, folder]) await chown(place, USER, USER);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly err: string;
}

/** Node.js refuses to change its user with this variable, as that of Debian 13 does without it. */
function recorderd(args: readonly string[], input = "", uid?: number, main = MAIN): Promise<Ended> {
  const env = { ...process.env, UV_USE_IO_URING: "1" };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { env, ...(uid === undefined ? {} : { uid }) },
      (error, _out, err) => {
        resolve({ code: Number(error?.code ?? 0), err });
      },
    );
    child.stdin?.end(input);
  });
}

describe.skipIf(!CAN_BE_ANOTHER_USER)("root's commands on a Node.js that cannot change its user", () => {
  it("run again as the owner of their folder, with its exit code", async () => {
    const args = ["web", "password", "owner", "--config", config];
    expect(await recorderd(args, "a long password\n")).toMatchObject({ code: 0 });
    expect((await stat(join(folder, "data/secrets.yaml"))).uid).toBe(USER);
    expect(await recorderd(args, "")).toMatchObject({ code: 64 });
  });

  it("say what to do if their files belong to several users", async () => {
    const { code, err } = await recorderd(["backup", join(folder, "backup.tgz"), "--config", config], "");
    expect({ code, err }).toMatchObject({
      code: 77,
      err: expect.stringContaining("run the command as that user"),
    });
  });
});

describe.skipIf(!CAN_BE_ANOTHER_USER)("a user without rights on the control socket", () => {
  it("learns who may ask the daemon", async () => {
    const socket = join(folder, "control.sock");
    const daemon = createServer().listen(socket);
    await once(daemon, "listening");
    await chmod(socket, 0o600);
    const { code, err } = await recorderd(["status", "--socket", socket], "", USER);
    expect({ code, err }).toEqual({
      code: 69,
      err: expect.stringMatching(/only root and the daemon's user.*sudo/),
    });
    daemon.close();
  });
});

describe.skipIf(process.getuid?.() !== 0)("root's commands where the program is closed to others", () => {
  it("say so, because the owner of their folder must run them", async () => {
    const home = join(folder, "closed");
    await mkdir(join(home, "dist"), { recursive: true });
    await chmod(home, 0o700);
    const dist = dirname(MAIN);
    const bundles = (await readdir(dist)).filter((name) => name.endsWith(".js"));
    for (const name of bundles) await cp(join(dist, name), join(home, "dist", name));
    await cp(join(dist, "../package.json"), join(home, "package.json"));
    await symlink(join(dist, "../node_modules"), join(home, "node_modules"));
    const args = ["web", "password", "owner", "--config", config];
    const ended = await recorderd(args, "a long password\n", undefined, join(home, "dist/main.js"));
    expect(ended).toEqual({
      code: 66,
      err: expect.stringContaining(`cannot enter ${home}, where recorderd is: move recorderd to a place`),
    });
  });
});
