// Writes config/recorderd.schema.json, by which editors check a configuration file. Run `npm run build` first.
import { writeFileSync } from "node:fs";
import { configJsonSchema } from "../dist/recorder/config/schema.js";

writeFileSync("config/recorderd.schema.json", `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
