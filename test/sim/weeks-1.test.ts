import { describe } from "vitest";
import { surviveWeeks } from "./weeks.ts";

describe("R-01 … R-45 weeks with every kind of fault", () => surviveWeeks(1, 100));
