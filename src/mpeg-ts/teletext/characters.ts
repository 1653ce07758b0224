/** Character sets of teletext, from code 0x20 to 0x7f, sixteen to a row. EN 300 706 §15. */

/** A set of 96 characters. */
export type CharacterSet = readonly string[];

const BLOCK = "■";

function setOf(...rows: readonly string[]): CharacterSet {
  return rows.flatMap((row) => [...row]);
}

/** The Latin G0 set without a national option, table 35. */
export const LATIN = setOf(
  ` !"#¤%&'()*+,-./`,
  "0123456789:;<=>?",
  "@ABCDEFGHIJKLMNO",
  "PQRSTUVWXYZ[\\]^_",
  "`abcdefghijklmno",
  `pqrstuvwxyz{¦}~${BLOCK}`,
);

/** The codes that national options of the Latin set replace, table 36. */
const OPTION_CODES = [0x23, 0x24, 0x40, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f, 0x60, 0x7b, 0x7c, 0x7d, 0x7e];

function latin(option: string): CharacterSet {
  const set = [...LATIN];
  for (const [at, character] of [...option].entries()) set[(OPTION_CODES[at] ?? 0) - 0x20] = character;
  return set;
}

const ENGLISH = latin("£$@←½→↑#―¼‖¾÷");
const GERMAN = latin("#$§ÄÖÜ^_°äöüß");
const SWEDISH = latin("#¤ÉÄÖÅÜ_éäöåü");
const ITALIAN = latin("£$é°ç→↑#ùàòèì");
const FRENCH = latin("éïàëêùî#èâôûç");
const SPANISH = latin("ç$¡áéíóú¿üñèà");
const CZECH = latin("#ůčťžýířéáěúš");
const POLISH = latin("#ńąŻŚŁćóężśłź");
const TURKISH = latin("₺ğİŞÖÇÜĞışöçü");
const SERBIAN = latin("#ËČĆŽĐŠëčćžđš");
const ROMANIAN = latin("#¤ȚÂȘĂÎıțâșăî");
const ESTONIAN = latin("#õŠÄÖŽÜÕšäöžü");
const LATVIAN = latin("#$ŠėęŽčūšąųžį");

const DIGITS = "0123456789:;<=>?";

/** Cyrillic option 1: Serbian and Croatian, table 37. */
const CYRILLIC_SERBIAN = setOf(
  ` !"#$%&'()*+,-./`,
  DIGITS,
  "ЧАБЦДЕФГХИЈКЛМНО",
  "ПЌРСТУВЃЉЊЗЋЖЂШЏ",
  "чабцдефгхијклмно",
  `пќрстувѓљњзћжђш${BLOCK}`,
);
/** Cyrillic option 2: Russian and Bulgarian, table 38. */
const CYRILLIC_RUSSIAN = setOf(
  ` !"#$%ы'()*+,-./`,
  DIGITS,
  "ЮАБЦДЕФГХИЙКЛМНО",
  "ПЯРСТУЖВЬЪЗШЭЩЧЫ",
  "юабцдефгхийклмно",
  `пярстужвьъзшэщч${BLOCK}`,
);
/** Cyrillic option 3: Ukrainian, table 39. */
const CYRILLIC_UKRAINIAN = setOf(
  ` !"#$%ї'()*+,-./`,
  DIGITS,
  "ЮАБЦДЕФГХИЙКЛМНО",
  "ПЯРСТУЖВЬІЗШЄЩЧЇ",
  "юабцдефгхийклмно",
  `пярстужвьізшєщч${BLOCK}`,
);
/** Table 40. */
const GREEK = setOf(
  ` !"#$%&'()*+,-./`,
  "0123456789:;«=»?",
  "ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟ",
  "ΠΡ΄ΣΤΥΦΧΨΩΪΫάέήί",
  "ΰαβγδεζηθικλμνξο",
  `πρςστυφχψωϊϋόύώ${BLOCK}`,
);
/** Table 43. */
const HEBREW = setOf(
  ` !"#$%&'()*+,-./`,
  DIGITS,
  "@ABCDEFGHIJKLMNO",
  "PQRSTUVWXYZ←½→↑#",
  "אבגדהוזחטיךכלםמן",
  `נסעףפץצקרשת₪‖¾÷${BLOCK}`,
);

/** The Latin G2 set, table 41. Row 0x40 holds the marks that modes of X/26 set over a letter. */
export const LATIN_G2 = setOf(
  " ¡¢£$¥#§¤‘“«←↑→↓",
  "°±²³×µ¶·÷’”»¼½¾¿",
  " `´ˆ˜¯˘˙¨.˚¸_˝˛ˇ",
  "―¹®©™♪₠‰∝   ⅛⅜⅝⅞",
  "ΩÆĐªĦ ĲĿŁØŒºÞŦŊŉ",
  `ĸæđðħıĳŀłøœßþŧŋ${BLOCK}`,
);

/** Combining marks of the modes 0x11 to 0x1f of X/26, in that order. Table 41, row 0x40. */
export const MARKS = [
  ..."\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0323\u030a\u0327\u0332\u030b\u0328\u030c",
];

/** G0 sets by region (bits 14 to 11 of a designation), and in it by the bits C12, C13 and C14. Table 32. */
const REGIONS: Readonly<Record<number, readonly (CharacterSet | undefined)[]>> = {
  0: [ENGLISH, GERMAN, SWEDISH, ITALIAN, FRENCH, SPANISH, CZECH],
  1: [POLISH, GERMAN, SWEDISH, ITALIAN, FRENCH, undefined, CZECH],
  2: [ENGLISH, GERMAN, SWEDISH, ITALIAN, FRENCH, SPANISH, TURKISH],
  3: [ENGLISH, GERMAN, SWEDISH, ITALIAN, FRENCH, SERBIAN, CZECH, ROMANIAN],
  4: [CYRILLIC_SERBIAN, GERMAN, ESTONIAN, LATVIAN, CYRILLIC_RUSSIAN, CYRILLIC_UKRAINIAN, CZECH],
  6: [undefined, undefined, undefined, undefined, undefined, undefined, TURKISH, GREEK],
  10: [undefined, undefined, undefined, undefined, undefined, HEBREW],
};

/** @param designation seven bits: the region, then C12, C13 and C14 */
export function characterSet(designation: number): CharacterSet | undefined {
  return REGIONS[designation >> 3]?.[designation & 7];
}

/** The set that is used where no other is known: English, as in region 0. */
export const DEFAULT_SET = ENGLISH;

/** Languages (ISO 639-2) whose broadcasters use a region other than 0, and do not always say so. */
const REGION_OF_LANGUAGE: Readonly<Record<string, number>> = {
  pol: 1,
  tur: 2,
  hrv: 3,
  scr: 3,
  slv: 3,
  srp: 3,
  scc: 3,
  bos: 3,
  rum: 3,
  ron: 3,
  est: 4,
  lav: 4,
  lit: 4,
  rus: 4,
  bul: 4,
  ukr: 4,
  mac: 4,
  mkd: 4,
  gre: 6,
  ell: 6,
  heb: 10,
};

/** The region of a page whose broadcaster designates none: receivers use that of their country. */
export function regionOf(language: string | undefined): number {
  return REGION_OF_LANGUAGE[language ?? ""] ?? 0;
}
