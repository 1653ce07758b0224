import { GENRES, type Genre } from "./rule.ts";

/** A category of a show, as written in the guide. */
export interface Category {
  readonly name: string;
  /** Content code of the broadcast, such as `0x14`. @see EN 300 468 §6.2.9 */
  readonly eit?: string | undefined;
}

/**
 * Words for genres in guides, without accents, in the languages of our texts. The first line that fits counts: a children's film
 * is for children.
 */
const NAMES: readonly (readonly [Genre, RegExp])[] = [
  [
    "children",
    /child|\bkids?\b|kinder|enfant|jeunesse|infantil|\bninos\b|bambini|ragazzi|子供|子ども|キッズ/,
  ],
  [
    "sports",
    /sport|deporte|football|soccer|fussball|fußball|futbol|calcio|\btennis\b|cycling|basketball|スポーツ/,
  ],
  [
    "education",
    /documenta|dokumentation|dokumentar|\bdoku\b|educa|bildung|scien|wissen|\bnatur|ciencia|scienza|ドキュメンタリー|教養/,
  ],
  [
    "news",
    /\bnews|nachricht|noticia|informati|\binformations?\b|actualit|notizi|telegiornale|attualita|current affairs|weather|wetter|meteo|journal\b|ニュース|報道|天気/,
  ],
  ["music", /\bmusi[ckq]|concert|konzert|concierto|\bopera\b|\boper\b|\bballet|音楽/],
  [
    "movie",
    /film|movie|drama|krimi|thriller|comedy|komodie|comedia|commedia|\bserien?\b|\bserials?\b|\bseries\b|fernsehserie|sitcom|\bsoap|telenovela|fiction|pelicula|\bcine(ma)?\b|映画|ドラマ/,
  ],
  [
    "show",
    /show|quiz|\bgames?\b|entertain|unterhaltung|variety|variedades|varieta|\btalk|reality|concurso|divertissement|entretenimiento|intrattenimento|バラエティ/,
  ],
  [
    "leisure",
    /lifestyle|leisure|freizeit|hobby|travel|\breise|cook|kochen|\bocio\b|loisir|tempo libero|viaje|voyage|趣味/,
  ],
  ["society", /politi|societ|sociedad|gesellschaft|econom|wirtschaft|\bsocial/],
  ["arts", /\barts?\b|\bkunst|kultur|cultur|religion/],
];

/** Accents of Latin letters; marks of Japanese letters make them other letters. */
const ACCENTS = /[\u0300-\u036f]/g;

/** The genre of a show: by its content code, otherwise by the name of a category. `undefined` if neither is known. */
export function genreOf(categories: readonly Category[]): Genre | undefined {
  return firstOf(categories, byCode) ?? firstOf(categories, byName);
}

function firstOf(
  categories: readonly Category[],
  genreBy: (category: Category) => Genre | undefined,
): Genre | undefined {
  return categories.map(genreBy).find((genre) => genre !== undefined);
}

function byCode({ eit = "" }: Category): Genre | undefined {
  return /^(0x[0-9a-f]{2}|\d{1,3})$/i.test(eit) ? genreOfCode(Number(eit)) : undefined;
}

/** The first digit of a content code is the genre; digits above ten are no genres. @see EN 300 468 table 29 */
export function genreOfCode(code: number): Genre | undefined {
  return GENRES[(code >> 4) - 1];
}

function byName({ name }: Category): Genre | undefined {
  const folded = name.normalize("NFD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
  return NAMES.find(([, words]) => words.test(folded))?.[0];
}
