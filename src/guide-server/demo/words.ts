type Words = readonly [string, ...string[]];

/** The subject of a programme. The code is that of the broadcast. @see EN 300 468 table 29 (content_nibble) */
export interface Genre {
  readonly category: string;
  readonly eit: string;
  /** A series title takes one word from each list. */
  readonly first: Words;
  readonly second: Words;
  readonly descs: Words;
  readonly rating: Words;
}

export type GenreName =
  | "news"
  | "talk"
  | "lifestyle"
  | "drama"
  | "comedy"
  | "film"
  | "quiz"
  | "children"
  | "sport"
  | "documentary"
  | "music";

export const GENRES: Readonly<Record<GenreName, Genre>> = {
  news: {
    category: "News",
    eit: "0x20",
    first: ["Coastline", "Harbour", "Southern", "Meridian", "Daybreak", "National"],
    second: ["News", "Report", "Bulletin", "Headlines"],
    descs: ["The day's events at home and abroad, with sport and weather."],
    rating: ["NC"],
  },
  talk: {
    category: "Current Affairs",
    eit: "0x24",
    first: ["The Open", "The Long", "Late", "Sunday", "The Second"],
    second: ["Question", "Table", "Conversation", "Agenda", "View"],
    descs: [
      "Guests from politics, science and the arts argue about the questions of the week.",
      "A close look at one story that has not been told to its end.",
    ],
    rating: ["NC", "PG"],
  },
  lifestyle: {
    category: "Lifestyle",
    eit: "0xA0",
    first: ["The Patient", "Backyard", "Weekend", "The Travelling", "Simple", "Old House,"],
    second: ["Gardener", "Kitchen", "Makers", "Table", "Builders", "New Life"],
    descs: [
      "A neglected corner becomes the best room of the house.",
      "Three dishes for guests who come without a warning.",
    ],
    rating: ["G"],
  },
  drama: {
    category: "Drama",
    eit: "0x10",
    first: ["The Salt", "Inspector", "North of", "The Quiet", "Silver", "Beyond the"],
    second: ["Road", "Marlowe Bay", "Harrow", "Tide", "Ledger", "Witness", "Lighthouse"],
    descs: [
      "An old letter turns a routine case into a matter of family.",
      "When the bridge is closed, nobody in the valley can avoid the others any longer.",
      "A promise made years ago has to be kept tonight.",
    ],
    rating: ["PG", "M", "MA"],
  },
  comedy: {
    category: "Comedy",
    eit: "0x14",
    first: ["Almost", "The Wrong", "Three", "Flat", "My Uncle's"],
    second: ["Neighbours", "Number Nine", "Cousins", "Grown Up", "Caravan"],
    descs: [
      "A small lie about a borrowed car needs a bigger one.",
      "The lift is stuck, and so is everybody's story.",
    ],
    rating: ["G", "PG"],
  },
  film: {
    category: "Movie",
    eit: "0x10",
    first: ["The Last", "A Winter", "Seven", "Midnight", "The Glass", "Return to"],
    second: ["Crossing", "Orchard", "Passenger", "Letters", "Station", "Wolf Creek Road", "Cartographer"],
    descs: [
      "A pilot and a thief have one night to reach the coast.",
      "A widow finds that the map on her wall shows a place that does not exist.",
    ],
    rating: ["PG", "M", "MA"],
  },
  quiz: {
    category: "Quiz",
    eit: "0x31",
    first: ["Double", "The Eleventh", "Beat the", "Twenty"],
    second: ["Question", "Clock", "Answers", "Or Nothing"],
    descs: ["Four contestants, one minute, no second guess."],
    rating: ["G"],
  },
  children: {
    category: "Children",
    eit: "0x50",
    first: ["Captain", "Pip and", "The Secret", "Robot", "Mina's"],
    second: ["Pelican", "the Paper Boat", "Treehouse", "Numbers", "Moon Garden"],
    descs: ["A lost kite leads the friends to the other side of the hill."],
    rating: ["C", "P", "G"],
  },
  sport: {
    category: "Sport",
    eit: "0x40",
    first: ["Live", "Weekend", "The Big", "Classic"],
    second: ["Football", "Cricket", "Match", "Cycling", "Netball"],
    descs: ["The match of the round, with everything that came before and after it."],
    rating: ["NC", "G"],
  },
  documentary: {
    category: "Documentary",
    eit: "0x23",
    first: ["Secrets of the", "The Great", "Living", "How We Built the", "A History of"],
    second: ["Reef", "Railway", "Desert", "Voyage", "Small Things", "Winter"],
    descs: [
      "Where the river meets the sea, two worlds trade places twice a day.",
      "Engineers said that it could not be built; this is how it was.",
    ],
    rating: ["G", "PG"],
  },
  music: {
    category: "Music",
    eit: "0x60",
    first: ["Night", "Studio", "Second"],
    second: ["Sessions", "Movement", "Shift"],
    descs: ["Music without a break until the morning."],
    rating: ["G", "PG"],
  },
};

export const PEOPLE: Words = [
  "Ada Lindqvist",
  "Tomas Okafor",
  "Mei Carroway",
  "Rhys Delacourt",
  "Ines Barramunga",
  "Jonah Whitlock",
  "Petra Nguyen",
  "Callum Adeyemi",
  "Zoë Martínez",
  "Noor Haddad",
];

export const EPISODES: Words = [
  "The Visitor",
  "Low Water",
  "A Fair Exchange",
  "Second Thoughts",
  "What the Neighbours Saw",
  "Closing Time",
  "The Long Way Home",
  "Paper and Stone",
  "An Honest Mistake",
  "First Frost",
];

/** Networks and their stations; one network has one multiplex. */
export const NETWORKS: readonly {
  readonly name: string;
  readonly onid: number;
  readonly tsid: number;
  readonly stations: readonly string[];
}[] = [
  {
    name: "Harbour Television",
    onid: 0x1010,
    tsid: 0x0221,
    stations: ["Harbour One", "Harbour Two", "Harbour Kids", "Harbour News"],
  },
  { name: "Meridian", onid: 0x1013, tsid: 0x0321, stations: ["Meridian", "Meridian Sport", "Mero", "Mate"] },
  { name: "Coastline", onid: 0x1014, tsid: 0x0421, stations: ["Coastline", "Coast Film", "Shore", "Tidal"] },
  {
    name: "Southern Cross",
    onid: 0x1012,
    tsid: 0x0521,
    stations: ["Southern", "Southern Docs", "Polar", "Austral"],
  },
];
