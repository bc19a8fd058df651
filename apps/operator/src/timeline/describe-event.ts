import {
  LINK_ERRORS,
  LINK_STATES,
  type LinkError,
  type LinkState,
} from '../../../../domain/link/link-state.js';
import { productWords } from '../../../../domain/link/product-words.js';
import { remedyOf } from '../../../../domain/link/link-remedies.js';
import type { EventMoment } from '../../../../prisma/links/timeline/timeline-row.js';
import { describeDelivery } from './describe-delivery.js';
import { shortened, type TimelineEntry } from './timeline-entry.js';

type Words = Pick<TimelineEntry, 'title' | 'cause' | 'remedy'>;

const EVENTS: Readonly<Record<string, (event: EventMoment) => Words>> = {
  'link.state_changed': ({ facts }) => {
    const state = LINK_STATES.find((known) => known === facts.state);
    return state === undefined
      ? { title: 'State changed', cause: facts.state, remedy: null }
      : describeState(state, facts.error, facts.errorMessage);
  },
  'link.product_refresh': ({ facts }) => {
    const product = facts.product === null ? 'a product' : productWords(facts.product);
    return facts.state === 'completed'
      ? { title: `Refreshed: ${product}`, cause: null, remedy: null }
      : {
          title: `Refresh failed: ${product}`,
          cause: facts.errorMessage,
          remedy: 'See products of links show, which has the remedy for its last error.',
        };
  },
  'transactions.updates_available': () => ({
    title: 'Transactions changed',
    cause: 'A refresh found transactions that the app has not read.',
    remedy: null,
  }),
  'investments.updates_available': () => ({
    title: 'Investments changed',
    cause: 'A refresh found holdings or investment transactions that the app has not read.',
    remedy: null,
  }),
  'link.permission_expiring': ({ facts }) => ending(facts.permissionEndsAt),
  'link_session.finished': ({ facts }) => ({
    title: `Session finished: ${facts.outcome ?? 'unknown outcome'}`,
    cause: null,
    remedy: null,
  }),
  'ITEM.ERROR': ({ facts }) => ({
    title: `Item error: ${facts.errorInside ?? 'unknown'}`,
    cause: 'The link entered an error, announced in the format of Plaid.',
    remedy: 'See links show for the error and its remedy.',
  }),
  'ITEM.LOGIN_REPAIRED': () => ({ title: 'Connected again', cause: null, remedy: null }),
  'ITEM.PENDING_EXPIRATION': ({ facts }) => ending(facts.permissionEndsAt),
  'ITEM.PENDING_DISCONNECT': ({ facts }) => ending(facts.permissionEndsAt),
};

const ending = (at: string | null): Words => ({
  title: 'The permission ends soon',
  cause: `The bank ends it ${at ?? 'at a time that it gave'}.`,
  remedy: 'Let its owner sign in again before then: a session with existing_link_id.',
});

function describeState(state: LinkState, named: string | null, text: string | null): Words {
  const error: LinkError | null = LINK_ERRORS.find((known) => known === named) ?? null;
  const { title, meaning, remedy } = remedyOf(state, error);
  const code = named === null ? '' : ` (${named})`;
  return {
    title: `${title}${code}`,
    cause: [meaning, ...(text === null ? [] : [shortened(text)])].join(' '),
    remedy,
  };
}

export function describeEvent(event: EventMoment, now: Date): TimelineEntry {
  const words = EVENTS[event.webhookEvent]?.(event) ?? {
    title: event.webhookEvent,
    cause: null,
    remedy: null,
  };
  const isTest = event.origin === 'test';
  const deliveries = event.deliveries.map((delivery) => describeDelivery(delivery, now));
  return {
    kind: 'event',
    at: event.at,
    id: event.eventId,
    title: isTest ? `Test event: ${event.webhookEvent}` : words.title,
    cause: isTest ? 'It announces no change.' : words.cause,
    remedy:
      (isTest ? null : words.remedy) ?? deliveries.find(({ remedy }) => remedy)?.remedy ?? null,
    lines: deliveries.flatMap(({ lines }) => lines),
  };
}
