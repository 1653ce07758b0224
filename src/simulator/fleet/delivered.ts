import type { NodeProcess } from "./node-process.ts";

/** Answers of the world reach a process while it lives and is not paused; a dead one waits forever. */
export function delivered<A extends readonly unknown[], T>(
  run: NodeProcess,
  call: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return (...args) =>
    new Promise((resolve, reject) => {
      if (run.isDead) return;
      call(...args).then(
        (answer) => run.after(0, () => resolve(answer)),
        (error: unknown) => run.after(0, () => reject(error)),
      );
    });
}
