/*
 * The permitted elements and attributes of the XMLTV document type (xmltv.dtd of XMLTV 1.2). Content models follow
 * DTD notation: in this order, `?` at most one, `*` any number, `+` at least one.
 */

interface ElementRule {
  /** Child elements in their order; `undefined`: none. */
  readonly children?: readonly string[];
  /** Children may appear in any order and number, mixed with text. */
  readonly mixed?: true;
  readonly text?: true;
  /** Attributes; `!` marks required ones, and a list restricts the values. */
  readonly attributes?: Readonly<Record<string, readonly string[] | undefined>>;
}

const free = undefined;
const TEXT: ElementRule = { text: true };
const LANG_TEXT: ElementRule = { text: true, attributes: { lang: free } };
const PERSON: ElementRule = { mixed: true, text: true, children: ["image*", "url*"] };
const RATING: ElementRule = { children: ["value", "icon*"], attributes: { system: free } };

const ELEMENTS: Readonly<Record<string, ElementRule>> = {
  tv: {
    children: ["channel*", "programme*"],
    attributes: {
      date: free,
      "source-info-url": free,
      "source-info-name": free,
      "source-data-url": free,
      "generator-info-name": free,
      "generator-info-url": free,
    },
  },
  channel: { children: ["display-name+", "icon*", "url*"], attributes: { "id!": free } },
  "display-name": LANG_TEXT,
  icon: { attributes: { "src!": free, width: free, height: free } },
  url: { text: true, attributes: { system: free } },
  programme: {
    children: [
      "title+",
      "sub-title*",
      "desc*",
      "credits?",
      "date?",
      "category*",
      "keyword*",
      "language?",
      "orig-language?",
      "length?",
      "icon*",
      "url*",
      "country*",
      "episode-num*",
      "video?",
      "audio?",
      "previously-shown?",
      "premiere?",
      "last-chance?",
      "new?",
      "subtitles*",
      "rating*",
      "star-rating*",
      "review*",
      "image*",
    ],
    attributes: {
      "start!": free,
      stop: free,
      "pdc-start": free,
      "vps-start": free,
      showview: free,
      videoplus: free,
      "channel!": free,
      clumpidx: free,
    },
  },
  title: LANG_TEXT,
  "sub-title": LANG_TEXT,
  desc: LANG_TEXT,
  credits: {
    children: [
      "director*",
      "actor*",
      "writer*",
      "adapter*",
      "producer*",
      "composer*",
      "editor*",
      "presenter*",
      "commentator*",
      "guest*",
    ],
  },
  director: PERSON,
  actor: { ...PERSON, attributes: { role: free, guest: ["no", "yes"] } },
  writer: PERSON,
  adapter: PERSON,
  producer: PERSON,
  composer: PERSON,
  editor: PERSON,
  presenter: PERSON,
  commentator: PERSON,
  guest: PERSON,
  date: TEXT,
  category: LANG_TEXT,
  keyword: LANG_TEXT,
  language: LANG_TEXT,
  "orig-language": LANG_TEXT,
  length: { text: true, attributes: { "units!": ["seconds", "minutes", "hours"] } },
  country: LANG_TEXT,
  "episode-num": { text: true, attributes: { system: free } },
  video: { children: ["present?", "colour?", "aspect?", "quality?"] },
  audio: { children: ["present?", "stereo?"] },
  present: TEXT,
  colour: TEXT,
  aspect: TEXT,
  quality: TEXT,
  stereo: TEXT,
  "previously-shown": { attributes: { start: free, channel: free } },
  premiere: LANG_TEXT,
  "last-chance": LANG_TEXT,
  new: {},
  subtitles: {
    children: ["language?"],
    attributes: { type: ["teletext", "onscreen", "deaf-signed"] },
  },
  rating: RATING,
  "star-rating": RATING,
  value: TEXT,
  review: {
    text: true,
    attributes: { "type!": ["text", "url"], source: free, reviewer: free, lang: free },
  },
  image: {
    text: true,
    attributes: {
      type: ["poster", "backdrop", "still", "person", "character"],
      size: ["1", "2", "3"],
      orient: ["P", "L"],
      system: free,
    },
  },
};

interface ChildRule {
  readonly place: number;
  readonly required: boolean;
  readonly once: boolean;
}

interface Rule {
  readonly children: ReadonlyMap<string, ChildRule>;
  readonly mixed: boolean;
  readonly text: boolean;
  readonly attributes: ReadonlyMap<string, readonly string[] | undefined>;
  readonly requiredAttributes: readonly string[];
}

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries(ELEMENTS).map(([name, { children = [], mixed, text, attributes = {} }]) => [
    name,
    {
      children: new Map(
        children.map((child, place) => [child.replace(/[?*+]$/, ""), childRule(child, place)]),
      ),
      mixed: mixed === true,
      text: text === true,
      attributes: new Map(
        Object.entries(attributes).map(([attribute, values]) => [attribute.replace("!", ""), values]),
      ),
      requiredAttributes: Object.keys(attributes)
        .filter((attribute) => attribute.endsWith("!"))
        .map((attribute) => attribute.slice(0, -1)),
    },
  ]),
);

function childRule(child: string, place: number): ChildRule {
  return { place, required: !/[?*]$/.test(child), once: !/[*+]$/.test(child) };
}

interface OpenElement {
  readonly name: string;
  readonly rule: Rule | undefined;
  readonly line: number;
  /** Position of the last child, and the names of all earlier ones. */
  place: number;
  readonly seen: Set<string>;
}

/** Reports violations of the DTD while a document is read. */
export class DtdCheck {
  readonly #open: OpenElement[] = [];
  readonly #complain: (line: number, reason: string) => void;

  constructor(complain: (line: number, reason: string) => void) {
    this.#complain = complain;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    const parent = this.#open.at(-1);
    const rule = RULES.get(name);
    if (parent === undefined) {
      if (name !== "tv") this.#complain(line, `the document is <${name}>, not <tv>`);
    } else if (parent.rule !== undefined) this.#place(parent, name, line);
    if (rule !== undefined) this.#attributes(name, { rule, attributes, line });
    this.#open.push({ name, rule, line, place: -1, seen: new Set() });
  }

  text(text: string, line: number): void {
    const open = this.#open.at(-1);
    if (open?.rule === undefined || open.rule.text || text.trim() === "") return;
    this.#complain(line, `<${open.name}> contains text`);
  }

  close(): void {
    const open = this.#open.pop();
    for (const [child, { required }] of open?.rule?.children ?? []) {
      if (required && open?.seen.has(child) === false) {
        this.#complain(open.line, `<${open.name}> has no <${child}>`);
      }
    }
  }

  #place(parent: OpenElement, name: string, line: number): void {
    const child = parent.rule?.children.get(name);
    if (child === undefined) {
      this.#complain(line, `<${name}> does not belong in <${parent.name}>`);
      return;
    }
    if (parent.rule?.mixed === true) return;
    if (child.place < parent.place) this.#complain(line, `<${name}> comes too late in <${parent.name}>`);
    else if (child.once && parent.seen.has(name)) {
      this.#complain(line, `<${parent.name}> has more than one <${name}>`);
    }
    parent.place = Math.max(parent.place, child.place);
    parent.seen.add(name);
  }

  #attributes(
    name: string,
    {
      rule,
      attributes,
      line,
    }: {
      readonly rule: Rule;
      readonly attributes: Readonly<Record<string, string>>;
      readonly line: number;
    },
  ): void {
    for (const attribute of rule.requiredAttributes) {
      if (!Object.hasOwn(attributes, attribute)) this.#complain(line, `<${name}> has no ${attribute}`);
    }
    for (const [attribute, value] of Object.entries(attributes)) {
      // Namespaces say nothing about the content.
      if (/^xmlns$|:/.test(attribute)) continue;
      if (!rule.attributes.has(attribute)) {
        this.#complain(line, `<${name}> does not have the attribute ${attribute}`);
        continue;
      }
      const values = rule.attributes.get(attribute);
      if (values !== undefined && !values.includes(value)) {
        this.#complain(line, `${attribute} of <${name}> is not one of ${values.join(", ")}`);
      }
    }
  }
}
