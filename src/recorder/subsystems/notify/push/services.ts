/**
 * The push services of browsers. A browser names the address that its messages go to; the recorder sends to no other host, or a
 * visitor could make it send requests into the household's network.
 */
const SERVICES = [
  "fcm.googleapis.com",
  "jmt17.google.com",
  ".push.services.mozilla.com",
  ".push.apple.com",
  ".notify.windows.com",
] as const;

export type IsPushService = (address: URL) => boolean;

export const isPushService: IsPushService = ({ protocol, hostname, port, username, password }) =>
  protocol === "https:" &&
  port === "" &&
  `${username}${password}` === "" &&
  SERVICES.some((name) => (name.startsWith(".") ? hostname.endsWith(name) : hostname === name));
