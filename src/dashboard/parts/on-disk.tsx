import { ORIGIN_NAMES } from "../../model/imported.ts";
import type { LibraryEntry } from "../../model/library.ts";
import { ask } from "../state/api.ts";
import { say } from "../state/language.ts";
import { loadProgress } from "../state/progress.ts";
import { fileTroubleText, momentText } from "../words.ts";
import { ActionButton } from "./action.tsx";
import { useConfirmation } from "./confirm.tsx";
import { Facts } from "./facts.tsx";
import { IntegrityPicture } from "./integrity.tsx";

/** The state of a recording's file, and what can be done with it. */
export function OnDisk({ entry }: { readonly entry: LibraryEntry }) {
  const { recordingId, protected: isProtected, watched, deleted, checked } = entry;
  const path = `/v1/recordings/${encodeURIComponent(recordingId)}`;
  const removal = useConfirmation({ ...removalTexts(entry), act: () => ask("DELETE", path) });
  if (deleted !== undefined) return <p>{say(`detail-deleted-${deleted.actor}`)}</p>;
  return (
    <>
      <Facts
        of={[
          [say("detail-wrong"), fileTroubleText(entry)],
          [say("detail-compared"), checked === undefined ? undefined : comparedText(checked)],
        ]}
      />
      <div class="buttons">
        <ActionButton
          act={() => ask("POST", `${path}/flags`, { protected: !isProtected })}
          done={isProtected ? say("detail-unprotect-done") : say("detail-protect-done")}
        >
          {isProtected ? say("detail-unprotect") : say("detail-protect")}
        </ActionButton>
        <ActionButton
          act={() => ask("POST", `${path}/flags`, { watched: !watched }).then(loadProgress)}
          done={watched ? say("detail-unwatched-done") : say("detail-watched-done")}
        >
          {watched ? say("detail-unwatched") : say("detail-watched")}
        </ActionButton>
        <ActionButton act={() => ask("POST", `${path}/verify`)} done={say("detail-verify-done")}>
          {say("detail-verify")}
        </ActionButton>
        {removal.button}
      </div>
      {removal.dialog}
    </>
  );
}

/** The place of the file, and its picture over time. */
export function TheFile({
  entry: { recordingId, file, imported, deleted },
}: {
  readonly entry: LibraryEntry;
}) {
  if (deleted !== undefined) return null;
  return (
    <>
      {imported === undefined ? <IntegrityPicture recordingId={recordingId} /> : null}
      <Facts of={[[say("detail-file"), file]]} />
    </>
  );
}

/** The file of another recorder stays. */
function removalTexts({ imported }: LibraryEntry) {
  return imported === undefined
    ? {
        label: say("detail-delete"),
        question: say("detail-delete-ask"),
        done: say("detail-delete-done"),
        verb: say("detail-delete-verb"),
      }
    : {
        label: say("imported-out"),
        question: say("imported-out-ask", { recorder: ORIGIN_NAMES[imported.from] }),
        done: say("imported-out-done"),
        verb: say("imported-out-verb"),
      };
}

function comparedText({ verdict, at }: NonNullable<LibraryEntry["checked"]>): string {
  // The size of a truncated file is beside this, in what is wrong with it.
  const word = verdict === "truncated" ? say("file-changed") : say(`file-${verdict}`);
  return say("detail-compared-at", { verdict: word, at: momentText(at) });
}
