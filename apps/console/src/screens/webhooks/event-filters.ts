import type { Filter } from '../../parts/filters/filter-bar.js';
import { TEXTS } from './texts.js';

export const STATUSES: readonly (readonly [string, string])[] = [
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['exhausted', 'Abandoned'],
  ['disabled', 'Address disabled'],
  ['no_address', 'No address'],
];

export const FILTERS: readonly Filter[] = [
  { name: 'link_id', label: TEXTS.link, kind: 'text' },
  { name: 'webhook_event', label: TEXTS.name, kind: 'text' },
  { name: 'status', label: TEXTS.status, kind: 'choice', choices: STATUSES },
  { name: 'created_after', label: TEXTS.from, kind: 'time' },
  { name: 'created_before', label: TEXTS.to, kind: 'time' },
];
