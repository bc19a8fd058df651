import type { RouteChoice, RouteReason } from './route-choice.js';

/** A summary of a route choice, for operators who watch a login. */
export interface RouteSummary {
  reason: RouteReason;
  /** The numbers of other possible routes and of dropped ones. */
  possible: number;
  dropped: number;
}

/** @throws TypeError when every route was dropped, because there is no login to summarize */
export function summarizeRoute({ routes }: RouteChoice): RouteSummary {
  const chosen = routes.find(({ verdict }) => verdict === 'chosen');
  if (chosen === undefined) throw new TypeError('no route was chosen');
  const count = (wanted: string) => routes.filter(({ verdict }) => verdict === wanted).length;
  return { reason: chosen.reason, possible: count('possible'), dropped: count('dropped') };
}

/** Markdown for the details of a workflow. */
export function describeRoute(
  { linkId, provider }: { linkId: string; provider: string },
  { reason, possible, dropped }: RouteSummary,
): string {
  return [
    `Route: \`${provider}\` (\`${reason}\`). Other routes: ${possible} possible, ${dropped} dropped.`,
    `\`links explain ${linkId}\` gives the reason for each.`,
  ].join('\n\n');
}
