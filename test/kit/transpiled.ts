import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Writes `source` (a path in this repository) and everything of ours that it imports as JavaScript below `folder`, so that a test
 * can run it in a process of its own and kill that. Returns the path of what `source` became.
 */
export async function transpiledInto(folder: string, source: string): Promise<string> {
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const pending = [resolve(ROOT, source)];
  const done = new Set<string>();
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (done.has(path)) continue;
    done.add(path);
    const text = await readFile(path, "utf8");
    const target = targetOf(folder, path);
    await mkdir(dirname(target), { recursive: true });
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ES2022,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    await writeFile(target, outputText);
    const from = dirname(path);
    pending.push(...importsOf(outputText).map((name) => resolve(from, name.replace(/\.js$/, ".ts"))));
  }
  return targetOf(folder, resolve(ROOT, source));
}

function targetOf(folder: string, path: string): string {
  return join(folder, relative(ROOT, path).replace(/\.ts$/, ".js"));
}

function importsOf(text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text);
  return importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
}
