import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { documents } from "../../scripts/package-documents.mjs";
import { Config } from "../../src/recorder/config/schema.ts";

const INDEX = "docs/README.md";
const DECISIONS = "docs/dev/decisions";
/** For engineers, or generated: they do not count as user pages. */
const NO_USER_PAGES = ["docs/ARCHITECTURE.md", "docs/reference.md"];
/** Code, configuration and tests that name pages. */
const NAMING = ["src", "test", "scripts", "config", "systemd", "packaging", "bench"];

/** A recording, not a source file. */
const EXAMPLE_FILE = "News.ts";

const PAGES = readdirSync("docs", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name));
const OUTSIDE = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

function read(file: string): string {
  return readFileSync(file, "utf8");
}

function wordsOf(file: string): number {
  return read(file).split(/\s+/).filter(Boolean).length;
}

/** Without code, in which brackets mean other things. */
function proseOf(file: string): string {
  return read(file)
    .replace(/^( *)```[\s\S]*?^\1```/gm, "")
    .replace(/`[^`\n]*`/g, "code");
}

/** Targets of the links of a page that stay within the repository: path from its root, and anchor. */
function linksOf(file: string): readonly { readonly path: string; readonly anchor: string }[] {
  return [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = "", anchor = ""] = target.split("#");
    return [{ path: path === "" ? file : normalize(join(dirname(file), path)), anchor }];
  });
}

/** Anchors as GitHub makes them of headings. */
function anchorsOf(file: string): readonly string[] {
  const headings = read(file)
    .replace(/^```[\s\S]*?^```/gm, "")
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

function reachableFrom(first: string): ReadonlySet<string> {
  const reached = new Set<string>([first]);
  for (const page of reached) {
    if (!page.endsWith(".md")) continue;
    for (const { path } of linksOf(page)) if (existsSync(path)) reached.add(path);
  }
  return reached;
}

describe("the documentation", () => {
  it("links every page from its index", () => {
    const reached = reachableFrom(INDEX);
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
  });

  it("has no broken link", () => {
    const broken = [...PAGES, ...OUTSIDE].flatMap((page) =>
      linksOf(page)
        .filter(({ path, anchor }) => {
          if (!existsSync(path)) return true;
          return anchor !== "" && path.endsWith(".md") && !anchorsOf(path).includes(anchor);
        })
        .map(({ path, anchor }) => `${page}: ${path}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it("is named by its current paths in code, tests and configuration", () => {
    const files = NAMING.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(tsx?|mjs|ya?ml|json|service)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    const missing = files.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w./-])docs\/[\w/-]+(?:\.\w+)?/g)]
        .map(([path]) => path)
        .filter((path) => !existsSync(path) && !isNumberOfDecision(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it("names only existing files in its list of places to change", () => {
    const sections = read("docs/ARCHITECTURE.md").split(/^## /m);
    const section = sections.find((each) => each.startsWith("Where to make a change")) ?? "";
    const named = [...section.matchAll(/`([a-z][\w/-]*\/[\w-]+\.tsx?)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !existsSync(join("src", path)))).toEqual([]);
  });

  it("names only existing source files in the pages for engineers", () => {
    const inFolders = ["src", "test", "scripts", "bench"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `/${folder}/${name}`),
    );
    const paths = [...inFolders, ...readdirSync(".").map((name) => `/${name}`)];
    const missing = PAGES.filter((page) => page.startsWith("docs/dev/")).flatMap((page) =>
      [...read(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs))`/g)]
        .map(([, path = ""]) => path)
        .filter((path) => path !== EXAMPLE_FILE && !paths.some((each) => each.endsWith(`/${path}`)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it("has at most 20,000 words for users, without the reference", () => {
    const pages = PAGES.filter((page) => dirname(page) === "docs" && !NO_USER_PAGES.includes(page));
    expect(pages.reduce((sum, page) => sum + wordsOf(page), 0)).toBeLessThanOrEqual(20_000);
  });

  it("has a README of at most 900 words, and a changelog of at most 2,000", () => {
    expect([wordsOf("README.md") <= 900, wordsOf("CHANGELOG.md") <= 2000]).toEqual([true, true]);
  });
});

describe("the packages", () => {
  const packed = documents();
  const missingIn = (pages: readonly string[], isWanted: (path: string) => boolean) =>
    pages.flatMap((page) =>
      linksOf(page)
        .filter(({ path }) => isWanted(path) && statSync(path).isFile() && !packed.has(path))
        .map(({ path }) => `${page}: ${path}`),
    );

  it("have every page, and each file that a page links to, except code for engineers", () => {
    for (const page of ["README.md", "CHANGELOG.md", ...PAGES]) expect(packed).toContain(page);
    const forEngineers = PAGES.filter((page) => page.startsWith("docs/dev/"));
    const others = ["README.md", "CHANGELOG.md", ...PAGES.filter((page) => !forEngineers.includes(page))];
    expect(packed).toContain("compose.yaml");
    expect(missingIn(others, () => true)).toEqual([]);
    expect(missingIn(forEngineers, (path) => !/^(?:src|test|bench|scripts)\//.test(path))).toEqual([]);
  });

  it.each(["scripts/package.mjs", "scripts/npm-package.mjs"])("get all of these from %s", (script) => {
    expect(read(script)).toMatch(/^\s*for \(const (\w+) of (?:documents\(\)|pages)\) cpSync\(/m);
  });
});

describe("examples of configuration in user pages", () => {
  const pages = [...PAGES.filter((page) => dirname(page) === "docs"), "README.md"];
  const examples = pages.flatMap((page) =>
    [...read(page).matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = ""]) => ({
      name: `${page}, ${text.split("\n", 1)[0]}`,
      text,
    })),
  );

  it.each(examples)("are accepted: $name", ({ text }) => {
    const example = parse(text);
    const part = Array.isArray(example) ? { tuners: example } : example;
    const rest = {
      guide: { url: "http://127.0.0.1:8437", regionId: 1 },
      tuners: [{ kind: "mock", id: "one", broadcaster: "http://127.0.0.1:8090" }],
    };
    const recordings = { folder: "/srv/recordings", ...part.recordings };
    expect(Config.safeParse({ ...rest, ...part, recordings }).error?.issues ?? []).toEqual([]);
  });
});

describe("decisions", () => {
  const files = PAGES.filter((page) => dirname(page) === DECISIONS && !page.endsWith("README.md")).sort();

  it("are numbered from 1 without gaps, in their names and titles", () => {
    const numbers = files.map((file) => [
      Number(/\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]),
      Number(/^# (\d+)\. /.exec(read(file))?.[1]),
    ]);
    expect(numbers).toEqual(files.map((_, index) => [index + 1, index + 1]));
  });

  it("have a date, and a status that names only existing decisions", () => {
    const without = files.filter((file) => {
      const [, , date = "", status = ""] = read(file).split("\n");
      const named = linksOf(file).filter(({ path }) => status.includes(path.slice(DECISIONS.length + 1)));
      const isStatus = /^Status: (accepted|superseded by \[)/.test(status);
      return (
        !/^Date: \d{4}-\d\d-\d\d\s*$/.test(date) || !isStatus || !named.every((link) => existsSync(link.path))
      );
    });
    expect(without).toEqual([]);
  });

  it("are listed with title, date and status in their index", () => {
    const rows = files.map((file) => {
      const [title = "", , date = "", status = ""] = read(file).split("\n");
      const [, number, text] = /^# (\d+)\. (.*)$/.exec(title) ?? [];
      const cells = [
        `[${text}](${file.slice(DECISIONS.length + 1)})`,
        date.slice(6).trim(),
        status.slice(8).trim(),
      ];
      return `| ${number} | ${cells.join(" | ")} |`;
    });
    const listed = read(join(DECISIONS, "README.md"))
      .split("\n")
      .filter((line) => /^\| \d/.test(line));
    expect(listed).toEqual(rows);
  });
});

/** Comments may name a decision by its number alone. */
function isNumberOfDecision(path: string): boolean {
  const number = /^docs\/dev\/decisions\/(\d{4})$/.exec(path)?.[1];
  return number !== undefined && PAGES.some((page) => page.startsWith(`${DECISIONS}/${number}-`));
}
