import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

/**
 * Expressions with a repeat inside a repeat. A text that can be divided in several ways then takes time that doubles with each
 * character, and one request stops everything. In these each character can be read in one way only, or nothing follows that could
 * fail.
 */
const EXAMINED: ReadonlySet<string> = new Set([
  "guide-server/xmltv/channels.ts /^(?:[\\w-]+\\.)*([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})(?:\\.[\\w.-]+)?$/i",
  "guide-server/xmltv/source.ts /(?:[^\\s\"']|\"[^\"]*\"|'[^']*'|[\"'])+/g",
  'kit/http/http-auth.ts /(?:[^",]|"(?:[^"\\\\]|\\\\.)*")+/g',
  "migration/vdr/searches.ts /^[\\p{L}\\p{N}]+(?: [\\p{L}\\p{N}]+)*$/u",
  "recorder/capture/name-template.ts /^(?:\\[([^[\\]]*)\\]|((?:[^[\\]{}]|\\{[^[\\]{}]*\\})+))/",
  "recorder/tune/channel-lists/vdr.ts /^(?:[A-Za-z]\\d*)*$/",
]);

it("no regular expression has a repeat inside a repeat, except those whose time is known", () => {
  const found = sourceFiles().flatMap((file) =>
    expressionsOf(file)
      .filter((expression) => depthOfRepeats(expression) > 1)
      .map((expression) => `${file} ${expression}`),
  );
  expect(new Set(found)).toEqual(EXAMINED);
});

it("a repeat inside a repeat is found in groups, classes and escapes", () => {
  const depths = [
    "/a*b+/",
    "/(a+)?/",
    "/(?:a|b+)*/",
    "/([(*)+]+)\\*/",
    "/(?<n>(?:x\\+)+y){2,}/",
    "/(a{2,3})+/",
  ];
  expect(depths.map(depthOfRepeats)).toEqual([1, 1, 2, 1, 2, 1]);
});

const SOURCE = join(import.meta.dirname, "../../src");

function sourceFiles(): readonly string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
}

function expressionsOf(file: string): readonly string[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  // Most files have no repeated group, and parsing takes long.
  if (!/\)[*+{]/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const GROUP_BEGIN = /\((?:\?(?:[:=!]|<[=!]|<\w+>))?/y;
const ATOM = /\[(?:[^\]\\]|\\.)*\]|\\.|[^()]/y;
const REPEAT = /([*+]|\{\d+,\})|(?:\?|\{\d+(?:,\d+)?\})/y;

/** How many repeats without a limit contain each other. */
function depthOfRepeats(expression: string): number {
  let at = 1;
  const end = expression.lastIndexOf("/");
  const take = (part: RegExp): RegExpExecArray | null => {
    part.lastIndex = at;
    const taken = part.exec(expression);
    at += taken?.[0].length ?? 0;
    return taken;
  };
  const depthOfGroup = (): number => {
    let deepest = 0;
    while (at < end && expression[at] !== ")") {
      let depth = 0;
      if (take(GROUP_BEGIN) === null) take(ATOM);
      else {
        depth = depthOfGroup();
        at += 1;
      }
      if (take(REPEAT)?.[1] !== undefined) depth += 1;
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  };
  return depthOfGroup();
}
