import type {
  LinkMoment,
  PermissionMoment,
  RouteMoment,
  TimelineLink,
  TimelineRow,
} from '../../../../prisma/links/timeline/timeline-row.js';
import { reasonSentence } from '../route-reasons.js';
import { describeAction } from './describe-action.js';
import { describeEvent } from './describe-event.js';
import { describeSession } from './describe-session.js';
import { explainFailedLogin } from './failed-login.js';
import type { TimelineEntry } from './timeline-entry.js';

/** A row of a timeline in words. */
export function describeRow(row: TimelineRow, link: TimelineLink, now: Date): TimelineEntry {
  switch (row.kind) {
    case 'link':
      return describeMoment(row, link);
    case 'operator':
      return describeAction(row, now);
    case 'route':
      return describeRoute(row);
    case 'session':
      return describeSession(row, now);
    case 'permission':
      return describePermission(row);
    case 'event':
      return describeEvent(row, now);
  }
}

function describeMoment(
  { at, moment }: LinkMoment,
  { institutionName }: TimelineLink,
): TimelineEntry {
  const titles = {
    created: `Created: chosen at ${institutionName}`,
    connected: 'Connected for the first time',
    imported: 'Imported by its app',
    deleted: 'Deleted',
  };
  return {
    kind: 'link',
    at,
    id: null,
    title: titles[moment],
    cause: null,
    remedy: null,
    lines: [],
  };
}

function describeRoute({
  at,
  sessionId,
  why,
  chosen,
  routes,
  failedCause,
}: RouteMoment): TimelineEntry {
  const failure = failedCause === null ? null : explainFailedLogin(failedCause);
  const taken = routes.find(({ provider }) => provider === chosen);
  const others = routes.filter(({ provider }) => provider !== chosen);
  const areKeysRefused = routes.some(({ reason }) => reason === 'keys_refused');
  return {
    kind: 'route',
    at,
    id: sessionId,
    title:
      chosen === null ? `No route for the ${why} login` : `Route of the ${why} login: ${chosen}`,
    cause:
      [
        ...(taken === undefined ? [] : [reasonSentence(taken)]),
        ...(failure === null ? [] : [failure.text]),
      ].join(' ') || null,
    remedy:
      failure?.remedy ??
      (areKeysRefused ? 'A source refuses the keys of its configuration: providers check.' : null),
    lines: others.map((other) => `not ${other.provider}: ${reasonSentence(other)}`),
  };
}

const NOT_REVOKED =
  'End it at its source by its reference, if it has one (links unrevoked lists all of them).';

function describePermission({
  at,
  moment,
  provider,
  reference,
  reason,
}: PermissionMoment): TimelineEntry {
  const words = {
    stored: { title: 'Permission stored', cause: null, remedy: null },
    renewed: { title: 'Permission renewed', cause: null, remedy: null },
    not_revoked: {
      title: 'Permission not ended at its source',
      cause: reason,
      remedy: NOT_REVOKED,
    },
  }[moment];
  const named = reference === null ? '' : `, reference ${reference}`;
  return { kind: 'permission', at, id: null, ...words, lines: [`at ${provider}${named}`] };
}
