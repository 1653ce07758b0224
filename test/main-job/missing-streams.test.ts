import { tellsMissingStreamsTruly } from "./missing-streams-table.ts";

tellsMissingStreamsTruly("host");
