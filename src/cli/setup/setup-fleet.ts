import { openPlainFile } from "../../kit/files/plain-file.ts";
import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { INVITATION_LENGTH } from "../../model/setup.ts";
import { plainLine } from "../plain-text.ts";
import type { Asker } from "./interview.ts";

export interface FleetOptions {
  /** A file with an invitation, or the address of a database. */
  readonly join?: string;
  readonly node?: string;
  readonly listen?: string;
}

type Joining = FleetOptions & { readonly join: string };

export function isDatabase(text: string): boolean {
  return /^postgres(ql)?:/.test(text);
}

/** Takes the answers from an invitation. */
export async function join(
  { io, interview, draft }: Asker,
  { join: file, node, listen }: Joining,
): Promise<void> {
  const read = async () => draft.join(await invitationIn(file), { node, listen }, io.signal);
  await interview.about({ question: "Invitation", option: "--join", given: file, read });
  const { guide, recordings, tuners, fleet } = draft.view();
  io.note(
    [
      `guide service  ${guide?.url}`,
      `recordings     ${recordings?.folder}`,
      ...tuners.map(({ kind, place }) => `tuner          ${kind} ${place}`),
      ...(fleet?.commands ?? []).map((command) => `it will run    ${command}`),
    ]
      .map((line) => `  ${plainLine(line)}`)
      .join("\n"),
  );
}

/** A longer file is none. */
async function invitationIn(file: string): Promise<string> {
  try {
    await using handle = await openPlainFile(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(INVITATION_LENGTH + 1));
    return buffer.toString("latin1", 0, bytesRead);
  } catch (error) {
    throw unreadableFile(file, error);
  }
}

/** Asks for the secrets of a fleet that is known by its database. */
export async function askFleet(
  { interview, draft }: Asker,
  { join: database, node, listen }: Joining,
): Promise<void> {
  const hidden = { option: "standard input", hidden: true, fallback: "", read: (text: string) => text };
  const password = await interview.about({
    question: "Password of the database (Enter: none, or PGPASSFILE)",
    ...hidden,
  });
  await interview.about({
    question: "Secret of the fleet (Enter: none, this node stands by)",
    ...hidden,
    read: (secret) =>
      draft.useFleet({
        ...{ database, node, listen },
        ...(password === "" ? {} : { password }),
        ...(secret === "" ? {} : { secret }),
      }),
  });
}
