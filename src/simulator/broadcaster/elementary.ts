/** Nothing is sent as part of an access unit but whole NAL units; a delimiter (type 9) begins each. ITU-T H.264 §7.4.1.2.3. */
const DELIMITER = Buffer.from([0, 0, 0, 1, 0x09]);
const START_CODE = Buffer.from([0, 0, 1]);
const NAL_IDR = 5;

/**
 * Cuts an H.264 byte stream (ITU-T H.264 annex B) into access units.
 *
 * @param stream must have a delimiter before every access unit
 */
export function splitPictures(stream: Buffer): readonly Buffer[] {
  const pictures: Buffer[] = [];
  for (let at = stream.indexOf(DELIMITER); at >= 0; ) {
    const next = stream.indexOf(DELIMITER, at + 1);
    pictures.push(stream.subarray(at, next < 0 ? stream.length : next));
    at = next;
  }
  return pictures;
}

/** Whether decoding can start at this access unit. */
export function isKeyPicture(picture: Buffer): boolean {
  for (let at = picture.indexOf(START_CODE); at >= 0; at = picture.indexOf(START_CODE, at + 3)) {
    if (((picture[at + 3] ?? 0) & 0x1f) === NAL_IDR) return true;
  }
  return false;
}

/** Cuts an AAC stream into its frames, header included. Ends at the first byte that begins no frame. ISO/IEC 14496-3 §1.A.3. */
export function splitSoundFrames(stream: Buffer): readonly Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + 7 <= stream.length && (stream.readUInt16BE(at) & 0xfff0) === 0xfff0; ) {
    const length = (stream.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    if (length < 7 || at + length > stream.length) break;
    frames.push(stream.subarray(at, at + length));
    at += length;
  }
  return frames;
}
