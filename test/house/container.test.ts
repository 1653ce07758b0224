import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const read = (name: string) => readFileSync(name, "utf8");
const recorder = (name: string) => parse(read(name)).services.recorderd as Readonly<Record<string, unknown>>;

const HEALTH = join(import.meta.dirname, "../../packaging/container/health.sh");
const START = ["/usr/bin/tini", "--", "/usr/lib/recorderd/start.sh"];

describe("the health check of the image", () => {
  const folder = mkdtempSync(join(tmpdir(), "recorderd-health-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    { what: "the recorder", runs: START, asks: ["status"] },
    { what: "a recorder with arguments", runs: [...START, "run", "--end-captures"], asks: ["status"] },
    {
      what: "the guide server",
      runs: [...START, "guide-server", "--data", "/srv/my guide", "--port", "9000"],
      asks: ["guide-server", "--data", "/srv/my guide", "--port", "9000", "--ask"],
    },
    { what: "a container without start.sh", runs: ["sleep", "300"], asks: ["status"] },
  ])("asks $what", ({ runs, asks }) => {
    const program = join(folder, "recorderd");
    writeFileSync(program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n", { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const out = execFileSync("sh", [HEALTH, ...runs], { env, encoding: "utf8" });
    expect(out.split("\n").slice(0, -1)).toEqual(asks);
  });

  it("is that script", () => {
    expect(read("Dockerfile")).toMatch(/^HEALTHCHECK .* CMD \["\/usr\/lib\/recorderd\/health\.sh"\]$/m);
  });
});

describe("the files for containers", () => {
  it("need a DVB card only with compose.dvb.yaml", () => {
    expect(recorder("compose.yaml")).not.toHaveProperty("devices");
    expect(Object.keys(recorder("compose.dvb.yaml"))).toEqual(["devices", "group_add"]);
  });

  it("store the configuration of the setup in a volume", () => {
    const { volumes } = parse(read("compose.yaml"));
    expect(recorder("compose.yaml")["volumes"]).toContain("config:/etc/recorderd");
    expect(Object.keys(volumes)).toContain("config");
  });

  it("build with every copied file, which .dockerignore lists", () => {
    const allowed = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => path);
    const lines = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
    const copied = lines.flatMap(([, sources = ""]) => sources.split(" "));
    const isAllowed = (path: string) => allowed.some((each) => path === each || path.startsWith(`${each}/`));
    expect(copied).toContain("packaging/container/start.sh");
    expect(copied.filter((path) => !isAllowed(path))).toEqual([]);
  });
});

describe("compose.guide.yaml", () => {
  const { services, secrets } = parse(read("compose.guide.yaml"), { merge: true });
  const guides = Object.entries(services).filter(([name]) => name.startsWith("guide"));

  it("has a guide server on each port to which the example for HAProxy leads", () => {
    const ports = guides.map(
      ([, guide]) => /--port=(\d+)/.exec(String((guide as { command: string[] }).command))?.[1],
    );
    const led = [...read("config/haproxy-guide.example.cfg").matchAll(/server \w+ 127\.0\.0\.1:(\d+)/g)];
    expect(ports).toEqual(led.map(([, port]) => port));
  });

  it("runs the guide servers without rights, and gives the password in a file alone", () => {
    for (const [, guide] of guides) {
      expect(guide).toMatchObject({ read_only: true, cap_drop: ["ALL"], image: "recorderd" });
      expect(String((guide as { command: string[] }).command)).toContain(
        "--database-password-file=/run/secrets/guide-database",
      );
    }
    expect(services.database.environment).not.toHaveProperty("POSTGRES_PASSWORD");
    expect(secrets).toEqual({ "guide-database": { file: "./secrets/guide-database" } });
  });
});
