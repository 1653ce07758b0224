import { tellsFaultsTruly } from "./fault-table.ts";

tellsFaultsTruly("ffmpeg");
