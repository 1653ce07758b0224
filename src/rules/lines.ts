/** The numbers of the lines in which a pattern with the flag `g` matches, and of which the rest holds. */
export function linesWith(
  pattern: RegExp,
  lines: string,
  holds: (from: number, until: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  pattern.lastIndex = 0;
  let [line, from, until] = [0, 0, endOfLine(lines, 0)];
  for (let match = pattern.exec(lines); match !== null; match = pattern.exec(lines)) {
    for (; until < match.index; until = endOfLine(lines, from)) {
      line += 1;
      from = until + 1;
    }
    if (holds(from, until)) found.push(line);
    if (until === lines.length) break;
    pattern.lastIndex = until + 1;
  }
  return found;
}

function endOfLine(lines: string, from: number): number {
  const end = lines.indexOf("\n", from);
  return end === -1 ? lines.length : end;
}
