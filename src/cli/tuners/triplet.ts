import { InvalidArgumentError } from "commander";
import { parseTriplet, type Triplet } from "../../model/service.ts";

/** Parses a triplet as people write it. @throws InvalidArgumentError */
export function tripletOf(text: string): Triplet {
  const triplet = parseTriplet(text);
  if (triplet === undefined) {
    throw new InvalidArgumentError("Expected three numbers up to 65535, such as 318/18432/3401.");
  }
  return triplet;
}
