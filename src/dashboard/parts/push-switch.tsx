import { useEffect } from "preact/hooks";
import { say } from "../state/language.ts";
import { loadPush, push, turnPushOff, turnPushOn } from "../state/push.ts";
import { ActionButton } from "./action.tsx";

/** Turns notifications of this browser on and off, or says why it cannot receive any. */
export function PushSwitch() {
  useEffect(() => {
    // Without an answer, the state of the browser stands.
    loadPush().catch(() => {});
  }, []);
  const { value } = push;
  switch (value) {
    case "unknown":
      return null;
    case "on":
      return (
        <ActionButton act={turnPushOff} done={say("push-is-off")}>
          {say("push-turn-off")}
        </ActionButton>
      );
    case "off":
      return (
        <ActionButton act={turnPushOn} done={say("push-is-on")}>
          {say("push-turn-on")}
        </ActionButton>
      );
    default:
      return <p class="faint">{say(`push-${value}`)}</p>;
  }
}
