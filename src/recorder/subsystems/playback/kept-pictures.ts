import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../kit/files/make-folder.ts";
import { writeFile } from "../../../kit/files/steady-fs.ts";

/** Keeps a picture in a folder of its kind. The oldest ones go where there are more than `most`. */
export async function keepPicture(
  bytes: Buffer,
  { folder, name, most }: { readonly folder: string; readonly name: string; readonly most: number },
): Promise<void> {
  await makeFolder(folder, 0o750);
  const file = join(folder, name);
  await writeFile(`${file}.part`, bytes, { mode: 0o640 });
  await rename(`${file}.part`, file);
  const names = await readdir(folder);
  if (names.length <= most) return;
  const dated = await Promise.all(
    names.map(async (each) => ({
      name: each,
      madeAt: (await stat(join(folder, each)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const old = dated.toSorted((a, b) => b.madeAt - a.madeAt).slice(most);
  for (const each of old) await rm(join(folder, each.name), { force: true });
}
