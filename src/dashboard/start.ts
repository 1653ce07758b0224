import "./early.ts";
import { pageFile } from "./pages.ts";

// A page that does not arrive is asked for again when it is shown.
pageFile(location.pathname)?.().catch(() => {});
