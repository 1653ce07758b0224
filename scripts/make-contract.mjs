// Draws docs/dev/guide-contract.md from the rows of the contract suite, test/guide-contract/rows.ts, which are the names of its
// tests. With --check it only says whether the file is current.
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const SOURCE = "test/guide-contract/rows.ts";
const TARGET = "docs/dev/guide-contract.md";

const { outputText } = ts.transpileModule(readFileSync(SOURCE, "utf8"), {
  compilerOptions: {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    verbatimModuleSyntax: true,
  },
});
const { CONTRACT, CLIENT_CODES, caseName } = await import(
  `data:text/javascript;base64,${Buffer.from(outputText).toString("base64")}`
);

const text = `# Contract of the guide protocol

\`node scripts/make-contract.mjs\` writes this page from \`${SOURCE}\`. Each row is one status of one request. The last two columns name
the tests that decide it, one for each format. [Protocol of the guide server](guide-server-api.md) explains the statuses. To run a test: \`npx vitest run test/guide-contract -t "NAME"\`.

In each test, our client sends the request to our server over HTTP. The test checks the client's result: the document, or the error
code with its facts. Each test runs twice: with a guide published record by record, and with a guide made from a listing that has
only names and times. A test fails if this page is not current or a cell is empty.

## Requests of the published protocol

${table(CONTRACT.filter(({ beyond }) => beyond !== true))}

## Further requests that our client makes

${table(CONTRACT.filter(({ beyond }) => beyond === true))}
`;

if (process.argv.includes("--check")) {
  const current = readFileSync(TARGET, "utf8") === text;
  if (!current) console.error(`${TARGET} is not current: node scripts/make-contract.mjs`);
  process.exit(current ? 0 : 1);
}
writeFileSync(TARGET, text);

function table(rows) {
  const lines = rows.flatMap((row) =>
    Object.keys(row.statuses).map((status) => {
      const client = CLIENT_CODES[status] ?? "the answer";
      const cells = [
        `${row.method} ${row.path}`,
        status,
        client,
        ...["json", "xml"].map((wire) => caseName(row, Number(status), wire)),
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  );
  return [
    "| request | status | our client gets | test in JSON | test in XML |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}
