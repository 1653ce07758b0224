/** One who is sent packets. */
export interface Reader {
  /** @param packets whole ones; nobody writes into them */
  send(packets: Buffer): void;
}
