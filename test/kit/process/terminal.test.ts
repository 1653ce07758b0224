import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askHidden } from "../../../src/kit/process/terminal.ts";

function asked(signal = new AbortController().signal) {
  const input = new PassThrough();
  const output = new PassThrough();
  let interrupts = 0;
  const interrupt = () => {
    interrupts += 1;
  };
  const answer = askHidden({ input, output }, "Password: ", { signal, interrupt });
  const shown = () => {
    let text = "";
    // Node.js 26 reads piece by piece.
    for (let piece = output.read(); piece !== null; piece = output.read()) text += piece;
    return text;
  };
  return { input, answer, shown, interrupts: () => interrupts };
}

describe("a hidden question", () => {
  it("accepts one line and does not echo it", async () => {
    const { input, answer, shown } = asked();
    input.write("corX\u007frect horse\rnext line\r");
    expect(await answer).toBe("correct horse");
    expect(shown()).toBe("Password: \n");
  });

  it("has an empty answer after Ctrl-D", async () => {
    const { input, answer } = asked();
    input.write("\u0004");
    expect(await answer).toBe("");
  });

  it("passes Ctrl-C on, and ends with the reason of the signal", async () => {
    const stopping = new AbortController();
    const { input, answer, interrupts } = asked(stopping.signal);
    const ended = answer.catch((error: unknown) => error);
    input.write("corr\u0003");
    stopping.abort("told to end");
    expect([await ended, interrupts()]).toEqual(["told to end", 1]);
  });

  it("is not shown if the process is already ending", async () => {
    const { answer, shown } = asked(AbortSignal.abort("told to end"));
    await expect(answer).rejects.toBe("told to end");
    expect(shown()).toBe("");
  });
});
