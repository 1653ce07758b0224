/** Limits of answers of the guide service. */
export const GUIDE_WIRE_LIMITS = {
  /** A larger answer is refused with GUIDE_BODY_TOO_LARGE. */
  bodyBytes: 64 * 1024 * 1024,
  /** A larger answer with a status of success is not searched for an error. */
  errorBytes: 16 * 1024,
  /** A larger answer is decoded on a separate thread, so that other work need not wait for it. */
  readHereBytes: 128 * 1024,
  /** A stream of changes that has brought this many bytes is opened again. */
  changesBytes: 1024 * 1024,
  /** A stream of changes with a longer line is refused with GUIDE_DOCUMENT_INVALID. */
  changesLineBytes: 4096,
  /** A document with deeper nesting is refused with GUIDE_DOCUMENT_INVALID. */
  depth: 64,
  /** An XML document with more elements is refused with GUIDE_DOCUMENT_INVALID. */
  xmlElements: 1_000_000,
  /** An XML document with more attributes is refused with GUIDE_DOCUMENT_INVALID. */
  xmlAttributes: 2_000_000,
  /** An XML document with more attributes in one tag is refused with GUIDE_DOCUMENT_INVALID. */
  xmlTagAttributes: 10_000,
  /**
   * An XML document with more characters in one tag or text is refused with GUIDE_DOCUMENT_INVALID; a shorter text is
   * cut when it is read.
   */
  xmlPieceLength: 32 * 1024 * 1024,
  /** A document with more entries in its list is refused with GUIDE_DOCUMENT_INVALID. */
  listEntries: 250_000,
  /** A JSON document with more values is refused with GUIDE_DOCUMENT_INVALID. */
  jsonValues: 4_000_000,
  /** A record with a longer identifier is refused: a cut identifier could be that of another record. */
  idLength: 256,
  /** Characters of an address, such as that of a logo; a longer one is dropped. */
  addressLength: 2000,
  /** A timer for a longer event is malformed: no broadcast is longer, and sums of instants stay exact. */
  timerMinutesMax: 7 * 24 * 60,
  /** A timer that keeps more recordings of its rule keeps as many as the configuration says. */
  keepNewestMax: 10_000,
  /** A longer folder of a rule is ignored. */
  folderLength: 500,
  /** A longer short text of a programme is cut to this many characters. */
  programmeTextLength: 200,
  /** A longer description of a programme is cut to this many characters. */
  programmeDescriptionLength: 1000,
  /** Categories of one programme; the first ones are used. */
  programmeCategories: 10,
} as const;
