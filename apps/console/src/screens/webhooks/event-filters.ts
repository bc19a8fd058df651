import type { Filter } from '../../parts/filters/filter-bar.js';
import { TEXTS } from './texts.js';

export const STATUSES: readonly (readonly [string, string])[] = [
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['exhausted', 'Given up'],
  ['disabled', 'Address disabled'],
  ['no_address', 'No address'],
];

/** The names of the native format; those of Plaid are typed as they are. */
export const EVENT_NAMES: readonly string[] = [
  'link.state_changed',
  'link.product_refresh',
  'transactions.updates_available',
  'link.permission_expiring',
  'link_session.finished',
];

export const FILTERS: readonly Filter[] = [
  { name: 'link_id', label: TEXTS.link, kind: 'text' },
  { name: 'webhook_event', label: TEXTS.name, kind: 'text' },
  { name: 'status', label: TEXTS.status, kind: 'choice', choices: STATUSES },
  { name: 'created_after', label: TEXTS.from, kind: 'time' },
  { name: 'created_before', label: TEXTS.to, kind: 'time' },
];
