import type { Filter } from '../../parts/filters/filter-bar.js';
import { TEXTS } from './texts.js';

type Choices = readonly (readonly [string, string])[];

const LISTED_STATES: Choices = [
  ['connected', 'Connected'],
  ['error', 'Error'],
];
const UNLISTED_STATES: Choices = [
  ['connecting', 'Connecting'],
  ['awaiting_token_exchange', 'Waits for the app'],
  ['deleted', 'Deleted'],
];

/** The filters of the list of links, by the names of the API. */
export const LINK_FILTERS: readonly Filter[] = [
  {
    name: 'state',
    label: TEXTS.state,
    kind: 'choice',
    choices: [...LISTED_STATES, ...UNLISTED_STATES],
  },
  {
    name: 'error',
    label: TEXTS.error,
    kind: 'choice',
    choices: [
      ['auth_expired', 'Sign-in needed'],
      ['user_error', 'Unfinished: user'],
      ['incomplete', 'Unfinished: sign-in'],
      ['institution_error', 'Fault at the bank'],
      ['provider_error', 'Fault at the source'],
      ['system_error', 'Fault in the service'],
    ],
  },
  { name: 'institution_id', label: TEXTS.bankId, kind: 'text' },
  { name: 'provider', label: TEXTS.provider, kind: 'text' },
  { name: 'user', label: TEXTS.user, kind: 'text' },
  { name: 'tag', label: TEXTS.tag, kind: 'text' },
  { name: 'updated_since', label: TEXTS.changedSince, kind: 'time' },
  {
    name: 'include',
    label: TEXTS.include,
    kind: 'choice',
    choices: [
      ['deleted', TEXTS.includeDeleted],
      ['never_connected', TEXTS.includeNever],
      ['never_connected,deleted', TEXTS.includeBoth],
    ],
  },
];

/**
 * The filters that go with the values in use: the API refuses a time of update with links that are
 * otherwise not listed (native-api 3.4). A value in use keeps its filter.
 */
export function filtersBeside(value: (name: string) => string): readonly Filter[] {
  const isUnlisted =
    value('include') !== '' || UNLISTED_STATES.some(([state]) => state === value('state'));
  const isByUpdate = value('updated_since') !== '';
  return LINK_FILTERS.flatMap((filter): Filter[] => {
    if (filter.name === 'updated_since') return isByUpdate || !isUnlisted ? [filter] : [];
    if (filter.name === 'include') return isByUpdate && value('include') === '' ? [] : [filter];
    if (filter.name === 'state' && filter.kind === 'choice' && isByUpdate) {
      const choices = filter.choices.filter(
        (choice) => LISTED_STATES.includes(choice) || choice[0] === value('state'),
      );
      return [{ ...filter, choices }];
    }
    return [filter];
  });
}
