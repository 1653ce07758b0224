import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** All pages and what they link to, with the paths of a checkout: their links work in a package, too. */
export function documents() {
  const forUsers = ["README.md", "CHANGELOG.md", ...pagesIn("docs")];
  const forEngineers = [...pagesIn("docs/dev"), ...pagesIn("docs/dev/decisions")];
  // The code that pages for engineers link to is not part of a package; their pictures are.
  const linked = [
    ...forUsers.flatMap(linkedBy),
    ...forEngineers.flatMap(linkedBy).filter((path) => !/^(src|test|bench|scripts)\//.test(path)),
  ];
  const files = linked.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  return new Set([...forUsers, ...forEngineers, ...files]);
}

function pagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

function linkedBy(page) {
  const links = readFileSync(page, "utf8").matchAll(/\]\(([^)#\s:]+)/g);
  return [...links].map(([, path]) => join(dirname(page), path));
}
