import { tellsMissingStreamsTruly } from "../main-job/missing-streams-table.ts";

tellsMissingStreamsTruly("ffmpeg");
