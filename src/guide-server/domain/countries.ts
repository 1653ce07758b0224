/*
 * Finds the country of a time zone. Codes are those of ISO 3166-1; zones and names come from the JavaScript runtime.
 */

/** One word per country: its alpha-2 and alpha-3 codes. */
const CODES =
  "ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB " +
  "BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR " +
  "BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR " +
  "CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK " +
  "FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS " +
  "GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN " +
  "ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO " +
  "LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD " +
  "MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER " +
  "NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM " +
  "PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP " +
  "SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF " +
  "TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY " +
  "UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE";

export interface Country {
  /** ISO 3166-1 alpha-3. */
  readonly code3: string;
  /** English. */
  readonly name: string;
}

/** Stands for an unknown country. Unicode reserves ZZZ for this, and ISO 3166-1 assigns it to no country. */
export const UNKNOWN_COUNTRY: Country = { code3: "ZZZ", name: "Unknown" };

/** @param code alpha-2 or alpha-3, in any case */
export function countryOfCode(code: string): Country | undefined {
  const wanted = code.trim().toUpperCase();
  const found = CODES.split(" ").find((pair) => pair.slice(0, 2) === wanted || pair.slice(2) === wanted);
  return found === undefined ? undefined : countryOf(found);
}

/** One search takes about 40 ms, and every list of regions needs it. A guide has few zones. */
const COUNTRY_CACHE = new Map<string, Country | undefined>();
const COUNTRY_CACHE_MAX = 1000;

/**
 * The country of a zone of the tz database; `undefined` for a POSIX zone and for zones without a country, such as
 * UTC.
 */
export function countryOfZone(zone: string): Country | undefined {
  if (COUNTRY_CACHE.has(zone)) return COUNTRY_CACHE.get(zone);
  const country = findCountry(zone);
  if (COUNTRY_CACHE.size < COUNTRY_CACHE_MAX) COUNTRY_CACHE.set(zone, country);
  return country;
}

function findCountry(zone: string): Country | undefined {
  const wanted = canonical(zone);
  if (wanted === undefined) return undefined;
  const found = CODES.split(" ").find((pair) => zonesOf(pair.slice(0, 2)).includes(wanted));
  return found === undefined ? undefined : countryOf(found);
}

/** Node.js before 22 has the zones as a property. */
function zonesOf(code2: string): readonly string[] {
  const locale = new Intl.Locale(`und-${code2}`) as Intl.Locale & {
    readonly timeZones?: readonly string[];
    readonly getTimeZones?: () => readonly string[];
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Zones have former names: Asia/Calcutta is Asia/Kolkata. */
function canonical(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function countryOf(pair: string): Country {
  const names = new Intl.DisplayNames("en", { type: "region" });
  return { code3: pair.slice(2), name: names.of(pair.slice(0, 2)) ?? pair.slice(2) };
}
