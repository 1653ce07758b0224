import type { CaptureOrder } from "../../model/ports.ts";
import type { CaptureEngine } from "./engine.ts";

/** Several engines as one: each call goes to the engine that runs the capture. */
export class EngineSet implements CaptureEngine {
  readonly #engines: readonly CaptureEngine[];
  readonly #engineFor: (order: CaptureOrder) => Promise<CaptureEngine>;
  /** The engine of each capture, once known. */
  readonly #engineById = new Map<string, CaptureEngine>();

  constructor(engines: readonly CaptureEngine[], engineFor: (order: CaptureOrder) => Promise<CaptureEngine>) {
    this.#engines = engines;
    this.#engineFor = engineFor;
  }

  async start(order: CaptureOrder): Promise<void> {
    const engine = await this.#engineFor(order);
    await engine.start(order);
    this.#engineById.set(order.id, engine);
  }

  async ids(): Promise<ReadonlySet<string>> {
    const ids = await Promise.all(this.#engines.map((engine) => engine.ids()));
    return new Set(ids.flatMap((each) => [...each]));
  }

  /** `undefined` if no engine runs the capture. */
  async of(id: string): Promise<CaptureEngine | undefined> {
    const seen = this.#engineById.get(id);
    if (seen !== undefined) return (await seen.isRunning(id)) ? seen : undefined;
    for (const engine of this.#engines) {
      if (!(await engine.isRunning(id))) continue;
      this.#engineById.set(id, engine);
      return engine;
    }
    return undefined;
  }

  async isRunning(id: string): Promise<boolean> {
    return (await this.of(id)) !== undefined;
  }

  async end(id: string, how?: { readonly hangs: boolean }): Promise<void> {
    await (await this.of(id))?.end(id, how);
  }

  /** The capture is over. */
  forget(id: string): void {
    this.#engineById.delete(id);
  }
}
