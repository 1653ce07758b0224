import { execFileSync } from "node:child_process";

/**
 * For `unshare --mount`: a file system that another test unmounts meanwhile goes from the new namespace, too. Otherwise the
 * kernel keeps it until the namespace ends.
 */
export const CLONED_MOUNTS = ["--propagation", "slave"] as const;

/** The reason why this machine cannot run a task that needs root, these programs and the right to mount; `undefined` if it can. */
export function whyNotHere({
  only,
  programs,
  unshare,
}: {
  /** The task that only root can do. */
  readonly only: string;
  readonly programs: readonly string[];
  /** The namespaces in which mounting is tried. */
  readonly unshare: readonly string[];
}): string | undefined {
  if (process.getuid?.() !== 0) return `only root can ${only}`;
  for (const program of programs) {
    try {
      execFileSync("which", [program], { stdio: "ignore" });
    } catch {
      return `the program ${program} is missing`;
    }
  }
  try {
    execFileSync("unshare", [...unshare, "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "this process may not mount";
  }
}
