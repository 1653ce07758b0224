import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../../free-port.ts";
import { until } from "../../../capture/capture-contract.ts";
import { running } from "../../../tune/peers/program.ts";

/** WebKitGTK's browser, driven by W3C WebDriver. */
export interface WebKit extends AsyncDisposable {
  /** Opens a page and resolves when it is loaded. */
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. @returns what that returns */
  run<T>(body: string): Promise<T>;
}

/** @param driver the path of WebKitWebDriver; Xvfb must be on the PATH */
export async function openWebKit(driver: string): Promise<WebKit> {
  const home = await mkdtemp(join(tmpdir(), "recorderd-webkit-"));
  const port = await freePort();
  // `-displayfd` lets it choose a free display, and say which.
  const screen = running("Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]);
  const display = () => /^\d+$/m.exec(screen.said())?.[0];
  await until(async () => display() !== undefined);
  const env = {
    DISPLAY: `:${display()}`,
    HOME: home,
    // Safari plays HLS by itself; WebKitGTK does so when asked.
    WEBKIT_GST_ENABLE_HLS_SUPPORT: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
    // Its sandbox needs namespaces, which containers do not have; what it shows is our own.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  };
  const browser = running(driver, [`--port=${port}`, "--host=127.0.0.1"], { env });
  const base = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${base}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isUp);

  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${base}/session${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { readonly value: T };
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(value)}`);
    return value;
  }

  const capabilities = { alwaysMatch: { pageLoadStrategy: "normal" } };
  const { sessionId } = await ask<{ readonly sessionId: string }>("POST", "", { capabilities });
  return {
    open: async (url) => void (await ask("POST", `/${sessionId}/url`, { url })),
    run: (script) => ask("POST", `/${sessionId}/execute/sync`, { script, args: [] }),
    async [Symbol.asyncDispose]() {
      await ask("DELETE", `/${sessionId}`);
      await browser[Symbol.asyncDispose]();
      await screen[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    },
  };
}
