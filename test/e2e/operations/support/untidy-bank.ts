import type { LiveSimulators } from '../../../support/services/live-simulators.js';
import { linkLive } from '../../live/support/live-journey.js';
import type { WatchedService } from './watched-service.js';

const LINKS = 3;

/** A bank of the FDX simulator, whose calls no quota limits, and links to it. */
export interface UntidyBank {
  simulator: LiveSimulators['simulators']['fdx'];
  links: readonly string[];
}

/** What the bank sends in place of the truth, by the kind of its consequence. */
export const UNTIDY_ANSWERS: readonly { title: string; order: Record<string, unknown> }[] = [
  {
    title: 'a bank sends answers of which nothing can be read (malformed)',
    order: { path: '/*/fdx/v6/accounts', place: 'accounts', value: 'none' },
  },
  {
    title: 'a bank sends rows that cannot be read (unreadable)',
    order: { path: '/*/transactions', place: 'transactions[0].amount', value: 'much' },
  },
  {
    title: 'a bank sends accounts of which a part cannot be read (incomplete)',
    order: { path: '/*/fdx/v6/accounts', place: 'accounts[0].currency.currencyCode', value: '?' },
  },
];

export async function linkUntidyBank({ app, simulated }: WatchedService): Promise<UntidyBank> {
  const live = await simulated();
  const links: string[] = [];
  for (let made = 0; made < LINKS; made += 1) links.push(await linkLive(app, 'fdx', live));
  return { simulator: live.simulators.fdx, links };
}
