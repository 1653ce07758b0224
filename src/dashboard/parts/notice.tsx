import { notice } from "../state/notice.ts";

/**
 * Shows the outcome of an action. An open dialog has its own notice: the page behind it is neither visible nor
 * announced.
 */
export function Notice({ isHeard = true }: { readonly isHeard?: boolean }) {
  const message = isHeard ? notice.value : undefined;
  return (
    <div role="status" class={`notice ${message?.tone ?? ""}`}>
      {message?.text}
    </div>
  );
}
