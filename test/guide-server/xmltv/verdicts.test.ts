import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkListing } from "../../../src/guide-server/xmltv/check.ts";

const FOLDER = "test/fixtures/xmltv";

/** A DTD and its tool look at the form of a time only, not at whether there is such a day, nor which of two comes first. */
const MORE_THAN_THE_TOOL = new Set(["bad-month.xml", "bad-stop-before-start.xml"]);

const VERDICTS = readFileSync(`${FOLDER}/verdicts.tsv`, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): readonly [string, boolean] => {
    const [file = "", status] = line.split("\t");
    return [file, status === "0"];
  });

describe("a listing is valid exactly if tv_validate_file of XMLTV accepts it", () => {
  it.each(VERDICTS)("%s: %s", async (file, isValid) => {
    const complaints: string[] = [];
    const { flaw } = await checkListing(`${FOLDER}/${file}`, ({ line, reason, isGuess }) => {
      // XMLTV allows to leave out stop and zone.
      if (isGuess === undefined) complaints.push(`${line}: ${reason}`);
    });
    const said = flaw === undefined ? complaints : [...complaints, `${flaw.line}: ${flaw.reason}`];
    if (isValid && !MORE_THAN_THE_TOOL.has(file)) expect(said).toEqual([]);
    else expect(said).not.toEqual([]);
  });

  it("the comparison includes valid and invalid listings", () => {
    expect([VERDICTS.length, VERDICTS.filter(([, isValid]) => isValid).length]).toEqual([37, 11]);
  });
});
