import { tellsFaultsTruly } from "../main-job/fault-table.ts";

tellsFaultsTruly("ffmpeg");
