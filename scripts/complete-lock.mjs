// Gives each package in package-lock.json that has none the hash that the registry names. npm leaves out those of other platforms
// where its registry did not have them; test/house/lock-file.test.ts says which may be missing.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "package-lock.json";
const lock = JSON.parse(readFileSync(FILE, "utf8"));
const missing = [];
for (const [path, locked] of Object.entries(lock.packages)) {
  if (path === "" || locked.integrity !== undefined) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const hash = hashOf(`${name}@${locked.version}`);
  if (hash?.startsWith("sha512-") === true) locked.integrity = hash;
  else missing.push(name);
}
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
if (missing.length > 0) {
  console.error(`The registry does not know ${missing.length} of them: ${missing.join(", ")}.`);
  process.exitCode = 1;
}

function hashOf(spec) {
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    return execFileSync("npm", ["view", spec, "dist.integrity"], options).trim();
  } catch {
    return undefined;
  }
}
