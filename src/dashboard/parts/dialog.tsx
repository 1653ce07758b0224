import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../state/language.ts";
import { openDialogs } from "../state/notice.ts";
import { Notice } from "./notice.tsx";
import { Silence } from "./silence.tsx";

/** A modal dialog, closed by its button, by Escape, or by a click outside. */
export function Dialog({
  title,
  kind,
  onClose,
  children,
}: {
  readonly title: string;
  /** A wide one has room for a picture. */
  readonly kind?: "wide";
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  /** The pressed element: a selection that starts inside may end outside the dialog. */
  const pressed = useRef<EventTarget | null>(null);
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    openDialogs.value += 1;
    return () => {
      openDialogs.value -= 1;
      // A dialog that is removed while it is open does not give the focus back by itself.
      queueMicrotask(() => opener instanceof HTMLElement && opener.focus({ preventScroll: true }));
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={element}
      class={kind}
      aria-labelledby="dialog-title"
      onClose={onClose}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      onClick={({ target }) => {
        if (target === element.current && target === pressed.current) element.current?.close();
      }}
    >
      <div class="dialog-body">
        <Silence />
        <header>
          <h2 id="dialog-title" dir="auto">
            {title}
          </h2>
          <button
            type="button"
            class="quiet"
            aria-label={say("dialog-close")}
            onClick={() => element.current?.close()}
          >
            ✕
          </button>
        </header>
        {children}
      </div>
      <Notice />
    </dialog>
  );
}
