import { tellsFaultsTruly } from "./fault-table.ts";

tellsFaultsTruly("host");
