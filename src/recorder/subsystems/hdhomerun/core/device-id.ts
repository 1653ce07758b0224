const CHECKSUMS = [0xa, 0x5, 0xf, 0x6, 0x7, 0xc, 0x1, 0xb, 0x9, 0x2, 0x8, 0xd, 0x4, 0x3, 0xe, 0x0];

/** Whether the text is a device id: eight hexadecimal digits in capitals, with the checksum that libhdhomerun checks. */
export function isDeviceId(text: string): boolean {
  return /^[0-9A-F]{8}$/.test(text) && checksum(text) === 0 && !RESERVED.includes(text);
}

/** No device, and any device. */
const RESERVED: readonly string[] = ["00000000", "FFFFFFFF"];

/** A device id of a tuner. @param chance from 0 to below 1 */
export function makeDeviceId(chance: number): string {
  // Ids of tuners begin with 10; the last digit completes the checksum.
  const head = `10${Math.floor(chance * 0x10_0000)
    .toString(16)
    .toUpperCase()
    .padStart(5, "0")}`;
  return `${head}${checksum(`${head}0`).toString(16).toUpperCase()}`;
}

/** 0 if the last digit fits. */
function checksum(digits: string): number {
  return [...digits].reduce((sum, digit, index) => {
    const value = Number.parseInt(digit, 16);
    return sum ^ (index % 2 === 0 ? (CHECKSUMS[value] ?? 0) : value);
  }, 0);
}
