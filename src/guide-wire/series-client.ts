import type { DocumentKind } from "./documents.ts";
import type { Order } from "./exchange.ts";
import type { GuideAnswer, Requests } from "./requests.ts";
import type {
  KeywordChange,
  KeywordOrder,
  SeriesRecordingChange,
  SeriesRecordingOrder,
} from "./series-records.ts";

/** Series recordings, keywords and favourites. A service without them answers GUIDE_NOT_FOUND. */
export interface SeriesClient {
  /** Series with all words of `title` in their titles; without words, all series. */
  list(title: string, signal: AbortSignal): Promise<GuideAnswer<"series">>;
  recordings(signal: AbortSignal): Promise<GuideAnswer<"series-recordings">>;
  addRecording(order: SeriesRecordingOrder, signal: AbortSignal): Promise<GuideAnswer<"series-recordings">>;
  setRecording(
    id: number,
    change: SeriesRecordingChange,
    signal: AbortSignal,
  ): Promise<GuideAnswer<"series-recordings">>;
  deleteRecording(id: number, signal: AbortSignal): Promise<void>;
  favourites(signal: AbortSignal): Promise<GuideAnswer<"favourites">>;
  addFavourite(seriesId: string, signal: AbortSignal): Promise<GuideAnswer<"favourites">>;
  deleteFavourite(seriesId: string, signal: AbortSignal): Promise<void>;
  keywords(signal: AbortSignal): Promise<GuideAnswer<"keywords">>;
  addKeyword(order: KeywordOrder, signal: AbortSignal): Promise<GuideAnswer<"keywords">>;
  setKeyword(id: number, change: KeywordChange, signal: AbortSignal): Promise<GuideAnswer<"keywords">>;
  deleteKeyword(id: number, signal: AbortSignal): Promise<void>;
}

export function seriesClient({ ask, remove, body }: Requests): SeriesClient {
  const read = <K extends DocumentKind>(kind: K, path: Order["path"], signal: AbortSignal) =>
    ask(kind, { path, account: true }, signal);
  const [recordings, favourites] = [
    ["series", "recordings"],
    ["series", "favourites"],
  ] as const;
  const write = { account: true } as const;
  return {
    list: (title, signal) =>
      ask(
        "series",
        { path: ["series"], account: true, ...(title === "" ? {} : { query: { title } }) },
        signal,
      ),
    recordings: (signal) => read("series-recordings", recordings, signal),
    addRecording: (order, signal) =>
      ask(
        "series-recordings",
        { ...write, method: "POST", path: recordings, body: body("series-recording-add", order) },
        signal,
      ),
    setRecording: (id, change, signal) =>
      ask(
        "series-recordings",
        { ...write, method: "PUT", path: [...recordings, id], body: body("series-recording-set", change) },
        signal,
      ),
    deleteRecording: (id, signal) => remove([...recordings, id], signal),
    favourites: (signal) => read("favourites", favourites, signal),
    addFavourite: (seriesId, signal) =>
      ask(
        "favourites",
        { ...write, method: "POST", path: favourites, body: body("favourite-add", { series_id: seriesId }) },
        signal,
      ),
    deleteFavourite: (seriesId, signal) => remove([...favourites, seriesId], signal),
    keywords: (signal) => read("keywords", ["keywords"], signal),
    addKeyword: (order, signal) =>
      ask(
        "keywords",
        { ...write, method: "POST", path: ["keywords"], body: body("keyword-add", order) },
        signal,
      ),
    setKeyword: (id, change, signal) =>
      ask(
        "keywords",
        { ...write, method: "PUT", path: ["keywords", id], body: body("keyword-set", change) },
        signal,
      ),
    deleteKeyword: (id, signal) => remove(["keywords", id], signal),
  };
}
