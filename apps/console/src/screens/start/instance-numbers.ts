import type { InstanceStart } from '../../../../console-server/src/operations/instance-start/instance-start-shapes.js';
import type { WaitingWork } from '../../../../console-server/src/operations/parts/part-shapes.js';
import { ageOf } from '../../frame/states/age-of.js';
import { appsInNeed } from './app-lists.js';
import type { ShownNumber } from './numbers.js';
import { TEXTS } from './texts.js';

const LIMIT = 1_000;
const MAX_RECEIVERS = 250;

/** What is broken, and where a person sees it. */
export function instanceNumbers({
  links_in_error,
  banks_down,
  receivers_refusing,
  events_abandoned,
  configurations_broken,
}: InstanceStart['sentence_parts']): ShownNumber[] {
  const common = { limit: LIMIT, isBad: true };
  return [
    { ...common, name: TEXTS.linksInError, count: links_in_error, href: appsInNeed('links') },
    { ...common, name: TEXTS.banksDown, count: banks_down, href: '/banks?health=bad' },
    {
      ...common,
      limit: MAX_RECEIVERS,
      name: TEXTS.receiversRefusing,
      count: receivers_refusing,
      href: appsInNeed('receivers'),
    },
    {
      ...common,
      name: TEXTS.exhausted,
      count: events_abandoned,
      href: appsInNeed('events'),
    },
    {
      ...common,
      name: TEXTS.configurationsBroken,
      count: configurations_broken,
      href: '/providers',
    },
  ];
}

/** Work that waits, with what to look at where it waits too long. */
export const waitingNumbers = (waiting: readonly WaitingWork[]): ShownNumber[] =>
  waiting.map(({ name, waiting: count, oldest_seconds, remedy }) => ({
    name: TEXTS.waitingNames[name],
    count,
    limit: LIMIT,
    isBad: remedy !== null,
    ...(oldest_seconds === 0
      ? {}
      : { note: [TEXTS.oldest(ageOf(oldest_seconds * 1_000)), remedy ?? []].flat().join('. ') }),
  }));
