import { describe, expect, it } from "vitest";
import { HTTP_LIMITS } from "../../../src/kit/http/limits.ts";
import { SignInLimiter } from "../../../src/kit/http/sign-in-limiter.ts";
import { ConcurrencyLimit } from "../../../src/kit/time/concurrency-limit.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { fc } from "../../properties.ts";

const QUARTER = HTTP_LIMITS.guessesMs;
const from = (name: string, address: string) => ({ name, address });
const me = from("me@x", "10.0.0.1");

function fail(guesses: SignInLimiter, attempt: Parameters<SignInLimiter["begin"]>[0], times: number): void {
  for (let count = 0; count < times; count += 1) guesses.begin(attempt, 0);
}

describe("failed sign-ins", () => {
  it("lock the name for a quarter of an hour after ten failures from one address", () => {
    const guesses = new SignInLimiter();
    for (let count = 0; count < 10; count += 1) expect(guesses.begin(me, count)).toBeUndefined();
    expect(guesses.begin(me, 5 * MINUTE)).toBe(10 * MINUTE);
    expect(guesses.begin(from("you@x", "10.0.0.1"), 5 * MINUTE)).toBeUndefined();
    expect(guesses.begin(me, QUARTER)).toBeUndefined();
  });

  it("lock an address after thirty failures, whatever the names, and no other address", () => {
    const guesses = new SignInLimiter();
    for (let count = 0; count < 30; count += 1) fail(guesses, from(`${count}@x`, "10.0.0.1"), 1);
    expect(guesses.begin(me, 1)).toBe(QUARTER - 1);
    expect(guesses.begin(from("me@x", "10.0.0.2"), 1)).toBeUndefined();
  });

  it("never lock an address without failures: it may try once, and then waits like the others", () => {
    const guesses = new SignInLimiter();
    fail(guesses, me, 10);
    const fresh = from("me@x", "10.9.9.9");
    expect(guesses.begin(fresh, 1)).toBeUndefined();
    expect(guesses.begin(fresh, 2)).toBeGreaterThan(0);
  });

  it("of strangers reveal nothing about an address that signed in before", () => {
    const guesses = new SignInLimiter();
    guesses.begin(me, 0);
    guesses.prove(me, 0);
    for (let count = 0; count < 200; count += 1) fail(guesses, from("me@x", `10.1.0.${count}`), 1);
    fail(guesses, from("other@x", "10.0.0.1"), 40);
    for (let count = 0; count < 10; count += 1) expect(guesses.begin(me, 1)).toBeUndefined();
    expect(guesses.begin(me, 2)).toBeGreaterThan(0);
  });

  it("of strangers do not lock out who has just signed up, and sign-ups count for their address", () => {
    const guesses = new SignInLimiter();
    for (let count = 0; count < 30; count += 1) {
      const newcomer = from(`${count}@x`, "10.0.0.1");
      expect(guesses.begin(newcomer, 0)).toBeUndefined();
      guesses.proveNew(newcomer, 0);
    }
    expect(guesses.begin(from("other@x", "10.0.0.1"), 1)).toBe(QUARTER - 1);
    for (let count = 0; count < 30; count += 1)
      expect(guesses.begin(from(`${count}@x`, "10.0.0.1"), 1)).toBeUndefined();
  });

  it("count from their beginning, so that simultaneous ones do not escape the limit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (atOnce) => {
        const guesses = new SignInLimiter();
        const begun = Array.from({ length: atOnce }, () => guesses.begin(me, 0)).filter(
          (wait) => wait === undefined,
        );
        return begun.length === Math.min(atOnce, HTTP_LIMITS.guessesPerName);
      }),
    );
  });

  it("are not offset by successful ones, which do not count", () => {
    const guesses = new SignInLimiter();
    fail(guesses, me, 9);
    for (let count = 0; count < 50; count += 1) {
      expect(guesses.begin(me, 1)).toBeUndefined();
      guesses.forgive(me, 2);
    }
    expect(guesses.begin(me, 3)).toBeUndefined();
    expect(guesses.begin(me, 4)).toBe(QUARTER - 4);
  });

  it.each([
    ["one /64 of IPv6", ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8::1:0:0:0:3"]],
    ["IPv4 in IPv6", ["10.0.0.1", "::ffff:10.0.0.1"]],
    ["a zone", ["fe80::1%eth0", "fe80::2%eth1"]],
  ])("count together for %s", (_, addresses) => {
    const guesses = new SignInLimiter();
    for (const address of addresses) fail(guesses, from("a@x", address), 10);
    const [first = ""] = addresses;
    expect(guesses.begin(from("a@x", first), 1)).toBeGreaterThan(0);
    expect(guesses.begin(from("a@x", "2001:db8:0:2::1"), 1)).toBeUndefined();
  });

  it("are stored for a limited number of names and addresses", () => {
    const guesses = new SignInLimiter();
    fail(guesses, me, 10);
    expect(guesses.begin(me, 1)).toBeGreaterThan(0);
    for (let count = 0; count < HTTP_LIMITS.guessersKept; count += 1)
      fail(guesses, from(`${count}@x`, `10.2.${count >> 8}.${count & 255}`), 1);
    expect(guesses.begin(me, 2)).toBeUndefined();
  });
});

describe("turns of password checks", () => {
  it("have a limit, and no check begins behind too many others", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 20 }),
        async (atOnce, waiting, asked) => {
          const turns = new ConcurrencyLimit({ atOnce, waiting });
          let [running, most] = [0, 0];
          const work = async () => {
            running += 1;
            most = Math.max(most, running);
            await Promise.resolve();
            running -= 1;
          };
          const ends = await Promise.all(Array.from({ length: asked }, () => turns.run(work)));
          const refused = ends.filter((end) => end === "busy").length;
          return most === Math.min(atOnce, asked) && refused === Math.max(0, asked - atOnce - waiting);
        },
      ),
    );
  });
});
