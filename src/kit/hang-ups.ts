/** Calls `heard` at each SIGHUP, by which a person asks for the configuration to be read again, until disposed. */
export function onHangUp(heard: () => void): Disposable {
  process.on("SIGHUP", heard);
  return { [Symbol.dispose]: () => void process.off("SIGHUP", heard) };
}
