/** Tests that only compute. */
export const COMPUTING: readonly string[] = inFolders(
  "model",
  "mpeg-ts",
  "guide-wire",
  "recorder/{engine,plan,sync,report,evidence}",
);

/** Tests that keep a processor busy, and may wait for it: those of servers, browsers and commands. The others record in real time. */
export const PATIENT: readonly string[] = inFolders(
  "{backup,cli,dashboard,fuzz,guide-contract,guide-server,house,migration,postgres,rules,site,web,words}",
);

/**
 * Tests that change their process for good. All others share processes, because each process costs a second
 * of imports: they must leave nothing behind.
 */
export const ALONE: readonly string[] = ["test/kit/ffmpeg-missing.test.ts"];

function inFolders(...folders: readonly string[]): readonly string[] {
  return folders.map((folder) => `test/${folder}/**/*.test.ts`);
}
