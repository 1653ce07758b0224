/** Calls `listener` at each SIGHUP, which requests a reload of the configuration, until disposed. */
export function onHangUp(listener: () => void): Disposable {
  process.on("SIGHUP", listener);
  return { [Symbol.dispose]: () => void process.off("SIGHUP", listener) };
}

/** Calls `listener` at each SIGUSR2, which switches debug logging on or off, until disposed. */
export function onDebugToggle(listener: () => void): Disposable {
  process.on("SIGUSR2", listener);
  return { [Symbol.dispose]: () => void process.off("SIGUSR2", listener) };
}
