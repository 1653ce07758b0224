import { afterAll } from "vitest";
import { endWhatIsLeft } from "./left-by-tests.ts";

// vitest runs this for each file of tests. Modules of tests that share a process are evaluated for the first file alone.
afterAll(endWhatIsLeft);
