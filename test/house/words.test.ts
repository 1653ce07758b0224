import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const GLOSSARY = "docs/ARCHITECTURE.md";
/** A comment begins with its subject. */
const NO_SUBJECT = /^(?:As|Of|What|Whatever|Where|Wherever|Who|Whoever|Whom|Whose)\b/;

interface Comment {
  readonly line: number;
  readonly text: string;
}

interface Words {
  readonly comments: readonly Comment[];
  /** Identifiers. */
  readonly names: readonly { readonly line: number; readonly name: string }[];
}

function sources(...folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { encoding: "utf8", recursive: true }).map((file) => join(folder, file)),
  );
  return files.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.includes("/fixtures/"));
}

function wordsOf(file: string): Words {
  const source = readFileSync(file, "utf8");
  const variant = file.endsWith(".tsx") ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard;
  const tree = ts.createSourceFile(
    file,
    source,
    ts.ScriptTarget.Latest,
    true,
    variant === 1 ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const comments = new Map<number, Comment>();
  const names: { line: number; name: string }[] = [];
  const lineAt = (at: number) => tree.getLineAndCharacterOfPosition(at).line + 1;
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) {
      const text = source.slice(pos, end).replace(/^\/[/*]+\s*(?:\*\s*)?/, "");
      comments.set(pos, { line: lineAt(pos), text });
    }
    // The name of a field that somebody else wrote is no name of ours.
    const { parent } = node as { readonly parent?: ts.Node };
    const isForeign = parent !== undefined && ts.isBindingElement(parent) && parent.propertyName === node;
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && !isForeign) {
      names.push({ line: lineAt(node.getStart()), name: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { comments: [...comments.values()], names };
}

/** The words in the last column of the glossary: `names` in backquotes, "phrases" of comments in quotes. */
function banned(): { readonly names: ReadonlySet<string>; readonly phrases: readonly string[] } {
  const [, glossary = ""] = readFileSync(GLOSSARY, "utf8").split("## Glossary");
  const cells = glossary.split("\n").flatMap((row) => row.split("|")[3] ?? []);
  const all = (pattern: RegExp) =>
    cells.flatMap((cell) => [...cell.matchAll(pattern)].map(([, word = ""]) => word));
  return { names: new Set(all(/`([^`]+)`/g)), phrases: all(/"([^"]+)"/g) };
}

describe("the terms in the code", () => {
  const files = sources("src", "test", "scripts", "bench").map((file) => ({ file, ...wordsOf(file) }));
  const { names: bannedNames, phrases } = banned();

  it("come from a glossary with banned terms", () => {
    expect(bannedNames.size).toBeGreaterThan(5);
    expect(phrases.length).toBeGreaterThan(1);
    expect(files.length).toBeGreaterThan(1000);
  });

  it("begin each comment with its subject", () => {
    const bad = files.flatMap(({ file, comments }) =>
      comments
        .filter(({ text }) => NO_SUBJECT.test(text))
        .map(({ line, text }) => `${file}:${line} ${text.slice(0, 60)}`),
    );
    expect(bad).toEqual([]);
  });

  it("follow the glossary in names", () => {
    const bad = files
      .filter(({ file }) => file.startsWith("src/"))
      .flatMap(({ file, names }) =>
        names
          .filter(({ name }) =>
            name.split(/(?=[A-Z])|[_-]/).some((part) => bannedNames.has(part.toLowerCase())),
          )
          .map(({ line, name }) => `${file}:${line} ${name}`),
      );
    expect(bad).toEqual([]);
  });

  it("follow the glossary in comments", () => {
    const bad = files
      .filter(({ file }) => file.startsWith("src/"))
      .flatMap(({ file, comments }) =>
        comments
          .filter(({ text }) => phrases.some((phrase) => text.includes(phrase)))
          .map(({ line, text }) => `${file}:${line} ${text.slice(0, 60)}`),
      );
    expect(bad).toEqual([]);
  });
});

describe("a class of the style sheets", () => {
  it("means one thing: one sheet defines it, others only refine it by where it is", () => {
    const folder = "src/dashboard/style";
    const homes = new Map<string, Set<string>>();
    for (const file of readdirSync(folder)) {
      const rules = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      for (const [, selectors = ""] of rules.matchAll(/([^{}]+)\{/g)) {
        for (const [, name = ""] of selectors.split(",").map((one) => /^\s*\.([\w-]+)\s*$/.exec(one) ?? [])) {
          if (name !== "") homes.set(name, (homes.get(name) ?? new Set()).add(file));
        }
      }
    }
    expect(homes.size).toBeGreaterThan(100);
    expect([...homes].filter(([, files]) => files.size > 1)).toEqual([]);
  });
});
