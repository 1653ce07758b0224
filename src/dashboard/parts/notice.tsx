import { notice } from "../state/notice.ts";

/** Where what came of a deed is said. An open dialog has one of its own: what lies behind it is neither seen nor read out. */
export function Notice({ isHeard = true }: { readonly isHeard?: boolean }) {
  const message = isHeard ? notice.value : undefined;
  return (
    <div role="status" class={`notice ${message?.tone ?? ""}`}>
      {message?.text}
    </div>
  );
}
