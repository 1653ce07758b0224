import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const read = (name: string) => readFileSync(name, "utf8");
const recorder = (name: string) => parse(read(name)).services.recorderd as Readonly<Record<string, unknown>>;

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
