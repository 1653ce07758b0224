import { type BodyReader, chunkedBody, type TakeBody } from "../../../src/recorder/capture/host/http-body.ts";
import { BUDGET, inTwo, law, same, type Target } from "../target.ts";

/** Bodies in chunks, as sources of streams send them. */
export const chunks: Target = {
  name: "chunks",
  bytesMax: 64 * 1024,
  budget: BUDGET,
  seeds: () => [
    Buffer.from("5\r\nhello\r\n0\r\n\r\n"),
    Buffer.from(
      "1f;name=value\r\n0123456789012345678901234567890\r\nA \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n",
    ),
  ],
  run(input) {
    const whole = read([input]);
    same("portions change nothing", whole, read(inTwo(input)));
    return whole;
  },
};

function read(portions: readonly Uint8Array[]): object {
  const taken: Buffer[] = [];
  const take: TakeBody = (bytes, from, to) => {
    law("what is taken is in the portion", from >= 0 && from < to && to <= bytes.length);
    taken.push(Buffer.from(bytes.subarray(from, to)));
  };
  const body: BodyReader = chunkedBody(take);
  let end = "open";
  try {
    for (const portion of portions) {
      if (body.read(Buffer.from(portion), 0, portion.length)) {
        end = "ended";
        break;
      }
    }
  } catch (error) {
    // Its only refusal.
    law(
      "the error names the missing part",
      error instanceof Error && error.message.includes("not in chunks"),
    );
    end = "refused";
  }
  return { end, bytes: Buffer.concat(taken).toString("latin1") };
}
