import * as nodeFs from "node:fs/promises";
import { join } from "node:path";
import type { DurableFs } from "../../src/kit/files/durable-file.ts";

export interface DyingFs {
  readonly fs: DurableFs;
  readonly calls: readonly string[];
  /** The power fails: a `share` of the appended data that was not yet on the disk itself is there afterwards. */
  cutPower(share: number): Promise<void>;
}

/**
 * A file system whose process dies in step `deadly`: that call does nothing, or, when it writes, half of it; every later one fails.
 * `links: false` is a file system that cannot link.
 */
export function dyingFs(deadly: number, links = true): DyingFs {
  const calls: string[] = [];
  /** Bytes on the disk itself, of files that were appended to. */
  const safe = new Map<string, number>();
  const step = (call: string): void => {
    calls.push(call);
    if (calls.length >= deadly) throw new Error("the process is dead");
  };
  const halfOf = (text: string | Buffer) => text.slice(0, text.length / 2);
  const fs = {
    ...nodeFs,
    readdir: async (path: string) => {
      step("readdir");
      return nodeFs.readdir(path);
    },
    link: async (from: string, to: string) => {
      step("link");
      if (!links) throw Object.assign(new Error("no links here"), { code: "EPERM" });
      await nodeFs.link(from, to);
    },
    rename: async (from: string, to: string) => {
      step("rename");
      await nodeFs.rename(from, to);
    },
    rm: async (path: string, options: object) => {
      step("rm");
      await nodeFs.rm(path, options);
    },
    open: async (path: string, flags: string, mode?: number) => {
      step("open");
      const handle = await nodeFs.open(path, flags, mode);
      const written = async (write: (text: string | Buffer) => Promise<void>, text: string | Buffer) => {
        try {
          step("write");
        } catch (error) {
          await write(halfOf(text));
          throw error;
        }
        await write(text);
      };
      return {
        writeFile: (text: string) => written((part) => handle.writeFile(part), text),
        appendFile: (bytes: Buffer) => written((part) => handle.appendFile(part), bytes),
        truncate: async (bytes: number) => {
          step("truncate");
          await handle.truncate(bytes);
          safe.set(path, bytes);
        },
        datasync: async () => {
          step("datasync");
          await handle.datasync();
          if (safe.has(path)) safe.set(path, (await handle.stat()).size);
        },
        sync: async () => {
          step("sync");
          await handle.sync();
        },
        [Symbol.asyncDispose]: () => handle.close(),
      };
    },
  };
  return {
    fs: fs as unknown as DurableFs,
    calls,
    cutPower: async (share) => {
      for (const [path, bytes] of safe) {
        const { size } = await nodeFs.stat(path);
        await nodeFs.truncate(path, bytes + Math.floor(share * (size - bytes)));
      }
    },
  };
}

/** The next process is another one: what is left does not bear its mark. */
export async function leftByAnother(folder: string): Promise<void> {
  for (const name of await nodeFs.readdir(folder)) {
    const foreign = name.replace(/\.[0-9a-f]{8}-([0-9a-f]{8}\.tmp)$/, ".0badcafe-$1");
    if (foreign !== name) await nodeFs.rename(join(folder, name), join(folder, foreign));
  }
}
