import { type ChildProcess, spawn } from "node:child_process";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Keeps the machine from sleeping until disposed, or until this process is gone, however it goes. */
export interface Inhibitor extends Disposable {
  /** False when logind is not there, or refused. */
  readonly holds: boolean;
}

/** Asks logind, through systemd-inhibit. Its command ends with its input, and that with us: no lock is left behind. */
export function inhibitSleep(why: string): Inhibitor {
  const options = ["--what=sleep", "--mode=block", "--who=recorderd", `--why=${why}`];
  const child: ChildProcess = spawn("systemd-inhibit", [...options, "cat"], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH },
  });
  let holds = true;
  const over = () => {
    holds = false;
  };
  child.once("error", over);
  child.once("exit", over);
  child.stdin?.on("error", () => {});
  return {
    get holds() {
      return holds;
    },
    [Symbol.dispose]: () => void child.stdin?.end(),
  };
}
