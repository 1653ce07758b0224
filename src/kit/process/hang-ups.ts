/** Calls `heard` at each SIGHUP, by which a person asks for the configuration to be read again, until disposed. */
export function onHangUp(heard: () => void): Disposable {
  process.on("SIGHUP", heard);
  return { [Symbol.dispose]: () => void process.off("SIGHUP", heard) };
}

/** Calls `heard` at each SIGUSR2, by which a person asks for more of the log, or for less again, until disposed. */
export function onMoreWanted(heard: () => void): Disposable {
  process.on("SIGUSR2", heard);
  return { [Symbol.dispose]: () => void process.off("SIGUSR2", heard) };
}
