import { ACCOUNT_ROUTES } from "./account-routes.ts";
import { BOX_ROUTES } from "./box-routes.ts";
import { BROADCAST_ROUTES } from "./broadcast-routes.ts";
import { LIST_ROUTES, OPEN_ROUTES } from "./catalogue-routes.ts";
import { DEVICE_ROUTES } from "./device-routes.ts";
import type { GuideRoute } from "./route.ts";
import { RULE_ROUTES } from "./rule-routes.ts";
import { SERIES_ROUTES } from "./series-routes.ts";
import { TIMER_ROUTES } from "./timer-routes.ts";

/** All routes of the guide server's API. */
export const GUIDE_ROUTES: readonly GuideRoute[] = [
  ...OPEN_ROUTES,
  ...DEVICE_ROUTES,
  ...TIMER_ROUTES,
  ...LIST_ROUTES,
  ...SERIES_ROUTES,
  ...RULE_ROUTES,
  ...BOX_ROUTES,
  ...BROADCAST_ROUTES,
  ...ACCOUNT_ROUTES,
];
