// Writes docs/openapi.json, the route table as an OpenAPI 3.1 document, from the built program. Run `npm run build` first.
// With --check it only says whether the file is current.
import { readFileSync, writeFileSync } from "node:fs";
import { openApi } from "../dist/recorder/api/openapi.js";
import { apiRoutes } from "../dist/recorder/api/routes.js";

const TARGET = "docs/openapi.json";
const text = `${JSON.stringify(openApi(apiRoutes({}, {})), null, 2)}\n`;

if (process.argv.includes("--check")) {
  const current = readFileSync(TARGET, "utf8") === text;
  if (!current) console.error(`${TARGET} is not current: npm run build && node scripts/make-openapi.mjs`);
  process.exit(current ? 0 : 1);
}
writeFileSync(TARGET, text);
