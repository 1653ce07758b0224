import { expect, it } from "vitest";
import { BufferPool } from "../../../src/kit/files/spare-buffers.ts";

it("a pool of buffers stays within its limit, never shares a buffer, and serves users in turn", async () => {
  const desk = new BufferPool({ bytes: 10, most: 2 });
  const used = new Set<Uint8Array>();
  const inUse = new Set<Uint8Array>();
  const order: number[] = [];
  const work = (nth: number) =>
    desk.use(async (buffer) => {
      order.push(nth);
      expect(inUse.has(buffer)).toBe(false);
      used.add(buffer);
      inUse.add(buffer);
      await Promise.resolve();
      inUse.delete(buffer);
      if (nth === 3) throw new Error("work that fails gives its buffer back all the same");
      return nth;
    });
  const results = await Promise.allSettled(Array.from({ length: 9 }, (_, nth) => work(nth)));
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(results.filter(({ status }) => status === "rejected").length).toBe(1);
  expect(used.size).toBe(2);
});
