import type { WebRequest } from "../../kit/http/web-server.ts";
import type { SignInParts } from "../../web/listener/session-routes.ts";

/** Names the viewer to whom a resume position belongs. */
export type ViewerOf = (request: WebRequest) => Promise<string>;

/** The viewer of requests without a name: nobody signed in, or a one-time link did. */
const SHARED = "household";
/** A proxy may send longer names. */
const NAME_LENGTH_MAX = 200;

/** The user or token of a request. Users and tokens are separate viewers, even with the same name. */
export function viewerOf(entrance: SignInParts | undefined): ViewerOf {
  return async (request) => {
    const { visitor } = (await entrance?.guard.visitor(request)) ?? {};
    if (visitor === undefined || visitor.name === "") return SHARED;
    return `${visitor.by === "token" ? "token" : "user"} ${visitor.name.slice(0, NAME_LENGTH_MAX)}`;
  };
}
