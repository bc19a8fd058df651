import type { JudgedRoute, RouteReason } from '../../../../../domain/institutions/route-choice.js';

/** Reasons that drop a route before or because it is known that the app may not use it. */
const HIDDEN: ReadonlySet<RouteReason> = new Set<RouteReason>([
  'other_environment',
  'disabled',
  'keys_refused',
  'not_pinned',
  'not_allowed_for_app',
]);

/** The routes that an app may know of: it never sees the names of other providers of the instance. */
export const routesForApp = (routes: readonly JudgedRoute[]): JudgedRoute[] =>
  routes.filter(({ verdict, reason }) => verdict !== 'dropped' || !HIDDEN.has(reason));
