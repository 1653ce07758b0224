import { describe, expect, it } from "vitest";
import { Collector } from "../../../src/migration/collector.ts";
import type { Problem } from "../../../src/migration/found.ts";
import { MIGRATION_LIMITS } from "../../../src/migration/limits.ts";
import { type Row, readDump } from "../../../src/migration/mythtv/dump.ts";

async function rowsOf(
  dump: string | Uint8Array,
  chunkBytes = 7,
): Promise<{ readonly rows: readonly Row[]; readonly problems: readonly Problem[] }> {
  const rows: Row[] = [];
  const into = new Collector();
  const bytes = typeof dump === "string" ? Buffer.from(dump) : dump;
  await readDump(
    chunks(bytes, chunkBytes),
    { channel: (row) => rows.push(row) },
    { file: "backup.sql", into },
  );
  return { rows, problems: into.found().problems };
}

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const TWO = [
  { chanid: "1", name: "One" },
  { chanid: "2", name: "Two" },
];

describe("a dump of a database", () => {
  it("has rows on one line, as MySQL writes them, or on lines of their own, as MariaDB does", async () => {
    const head = "INSERT INTO `channel` (`chanid`, `name`) VALUES ";
    expect((await rowsOf(`${head}(1,'One'),(2,'Two');\n`)).rows).toEqual(TWO);
    expect((await rowsOf(`${head}(1,'One'),\n(2,'Two');\n`)).rows).toEqual(TWO);
    expect((await rowsOf(`${head}\r\n(1,'One'),\r\n(2,'Two');\r\n`)).rows).toEqual(TWO);
    // Administrators' programs such as phpMyAdmin and Adminer write spaces and tabs.
    expect((await rowsOf(`${head}\n(1, 'One'),\n(2,\t'Two');\n`)).rows).toEqual(TWO);
  });

  it("names its columns in the table where the statement does not", async () => {
    const table =
      "CREATE TABLE `channel` (\n  `chanid` int(10) NOT NULL,\n  `name` varchar(64),\n  KEY `n` (`name`)\n) ENGINE=MyISAM;\n";
    expect(
      (await rowsOf(`${table}INSERT  IGNORE INTO \`channel\` VALUES (1,'One'),(2,'Two');\n`)).rows,
    ).toEqual(TWO);
  });

  it("has texts with quotes, escapes, brackets and other scripts, numbers, and NULL", async () => {
    const values = String.raw`(-1,'It''s \"all\"; (a,b)\\\n\t\Z 日本'),(NULL,_utf8mb4 'x'),(1.5e3,''),(0x1F,'\%')`;
    const { rows, problems } = await rowsOf(
      `INSERT INTO \`channel\` (\`chanid\`,\`name\`) VALUES ${values};\n`,
    );
    expect(rows).toEqual([
      { chanid: "-1", name: 'It\'s "all"; (a,b)\\\n\t\u001a 日本' },
      { chanid: undefined, name: "x" },
      { chanid: "1.5e3", name: "" },
      { chanid: "0x1F", name: "%" },
    ]);
    expect(problems).toEqual([]);
  });

  it("is read past other tables, whatever is in them", async () => {
    const dump = [
      "INSERT INTO `seek` VALUES (1,'INSERT INTO `channel` VALUES'),",
      "(2,'x'),",
      "(3,'y;');",
      "INSERT INTO `__proto__` VALUES (1);",
      "INSERT INTO `channel` (`chanid`,`name`) VALUES (1,'One'),",
      "(2,'Two');",
      "(9,'Not in a statement');",
    ].join("\n");
    expect(await rowsOf(dump)).toEqual({ rows: TWO, problems: [] });
  });

  it("is ISO-8859-1 in lines that are not UTF-8", async () => {
    const head = Buffer.from("INSERT INTO `channel` (`chanid`,`name`) VALUES (1,'Größe'),\n");
    const rest = Buffer.from("(2,'Größe');\n", "latin1");
    expect((await rowsOf(Buffer.concat([head, rest]))).rows.map(({ name }) => name)).toEqual([
      "Größe",
      "Größe",
    ]);
  });

  it("has problems with their lines, which do not stop the rest", async () => {
    const dump = [
      "INSERT INTO `channel` (`chanid`,`name`) VALUES (1,'One'),",
      "(2),",
      "(3,'open",
      "(4,'x' 'y'),",
      "(5,),",
      "nonsense",
      "(2,'Two');",
    ].join("\n");
    const { rows, problems } = await rowsOf(dump);
    expect(rows).toEqual(TWO);
    expect(problems.map(({ line, what }) => `${line} ${what}`)).toEqual([
      "2 Expected 2 values in a row, found 1.",
      "3 Expected ' at character 9: the rest of this line is not read.",
      "4 Expected , at character 7: the rest of this line is not read.",
      "5 Expected 2 values in a row, found 1.",
      "6 Expected ( at character 1: the rest of this line is not read.",
    ]);
  });

  it("has no line that is too long to keep", async () => {
    const into = new Collector();
    const names: Row[] = [];
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("INSERT INTO `channel` (`chanid`,`name`) VALUES (1,'");
      const part = Buffer.alloc(1024 * 1024, "x");
      for (let sent = 0; sent <= MIGRATION_LIMITS.lineBytes; sent += part.length) yield part;
      yield Buffer.from("');\nINSERT INTO `channel` (`chanid`,`name`) VALUES (2,'Two');\n");
    }
    await readDump(content(), { channel: (row) => names.push(row) }, { file: "backup.sql", into });
    expect(names).toEqual([TWO[1]]);
    expect(into.found().problems).toEqual([{ file: "backup.sql", line: 1, what: "The line is too long." }]);
  });
});
