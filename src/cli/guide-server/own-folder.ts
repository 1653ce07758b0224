import { lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { makeNamedFolder } from "../../kit/files/make-folder.ts";
import { RecorderdError } from "../../model/errors.ts";

/** A folder among the temporary files, for what a process with a database keeps for itself. */
export interface OwnFolder extends AsyncDisposable {
  readonly path: string;
}

/** A new one, which goes with its owner. */
export async function newFolder(): Promise<OwnFolder> {
  const path = await mkdtemp(join(tmpdir(), "recorderd-guide-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/**
 * That of the server on this port. It stays: the next one removes what a killed one has left.
 *
 * @throws RecorderdError FILE_NOT_OURS if another user has made it, who could read and change what is in it
 */
export async function folderOfPort(port: number): Promise<OwnFolder> {
  if (port === 0) return await newFolder();
  const { uid } = userInfo();
  const path = join(tmpdir(), `recorderd-guide-${uid}-${port}`);
  await makeNamedFolder(path, 0o700);
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    const text = `${path} must be a folder that only its user can open: remove it, or give --data FOLDER.`;
    throw new RecorderdError("FILE_NOT_OURS", text, { file: path });
  }
  return { path, [Symbol.asyncDispose]: async () => {} };
}
