import { realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const OTHERS_ENTER = 0o001;

/**
 * Whether these tests can run the built program as another user: root alone can, and only from a folder that others can enter. The
 * home of root is closed to them.
 */
export const CAN_BE_ANOTHER_USER = process.getuid?.() === 0 && isOpen(realpathSync(resolve(".")));

function isOpen(folder: string): boolean {
  const above = dirname(folder);
  return (statSync(folder).mode & OTHERS_ENTER) !== 0 && (above === folder || isOpen(above));
}
