import { startChild } from "../process/child.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Keeps the machine from sleeping until disposed, or until this process is gone, however it goes. */
export interface Inhibitor extends Disposable {
  /** False when logind is not there, or refused. */
  readonly holds: boolean;
}

/** Asks logind, through systemd-inhibit. Its command ends with its input, and that with us: no lock is left behind. */
export async function inhibitSleep(why: string): Promise<Inhibitor> {
  const options = ["--what=sleep", "--mode=block", "--who=recorderd", `--why=${why}`];
  const child = await startChild("systemd-inhibit", [...options, "cat"], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH },
  }).catch(() => undefined);
  let holds = child !== undefined;
  child?.once("exit", () => {
    holds = false;
  });
  child?.stdin?.on("error", () => {});
  return {
    get holds() {
      return holds;
    },
    [Symbol.dispose]: () => void child?.stdin?.end(),
  };
}
