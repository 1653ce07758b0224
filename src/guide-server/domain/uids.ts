/** Boxes write the separators of a MAC address or leave them out (IEEE 802: six octets). */
const SEPARATORS = /[\s:.-]/g;
const MAC = /^[0-9a-f]{12}$/;

/** A uid in the form in which two spellings of one MAC address are equal. Clients get their own spelling back. */
function comparable(uid: string): string {
  const bare = uid.replace(SEPARATORS, "").toLowerCase();
  return MAC.test(bare) ? bare : uid.toLowerCase();
}

/** Boxes without their own network card report a MAC address of all zeros or all ones. */
export function isNoUid(uid = ""): boolean {
  return /^(0*|f*)$/i.test(uid.replace(SEPARATORS, ""));
}

/**
 * Those with the uid: the ones with its very spelling, or else those with another spelling. One box may have two
 * devices of earlier versions, and each of its programs keeps the one that it knows.
 */
export function withUid<T extends { readonly uid: string }>(all: readonly T[], uid: string): readonly T[] {
  const same = all.filter((one) => one.uid === uid);
  return same.length > 0 ? same : all.filter((one) => comparable(one.uid) === comparable(uid));
}
