import { startChild } from "../process/child.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Prevents the machine from sleeping until disposed, or until this process ends in any way. */
export interface Inhibitor extends Disposable {
  /** False if logind is missing or refused. */
  readonly isActive: boolean;
}

/**
 * Asks logind through systemd-inhibit. The helper ends when its input closes, at the latest with this process, so no lock
 * remains.
 */
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
    get isActive() {
      return holds;
    },
    [Symbol.dispose]: () => void child?.stdin?.end(),
  };
}
