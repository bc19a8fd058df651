import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import { withDays } from '../../../domain/investments/present-holding.js';
import { renderStream } from '../../../domain/recurring/present-stream.js';
import type { Context } from '../../base/context.js';
import { RecurringSearchRepository } from '../../links/recurring/recurring-search.repository.js';
import { ExportedProducts, type ExportedHoldingDay } from './exported-products.js';
import type { ExportedLink } from './exported-rows.js';
import { openObject, renderTrade } from './render-exported.js';

/** A list of a link in an export: a member of the JSON document, lines of a type in JSON Lines. */
export interface ExportedList {
  member: string;
  type: string;
  /** An entry has a member `type` itself: its line holds it as a member of this name. */
  within?: string;
  /** The public JSON of each entry, an object. */
  entries: (ctx: Context, link: ExportedLink) => AsyncGenerator<string>;
}

/** Source: native-api 3.7. `needs`: absent without this detail. */
const LISTS: readonly (ExportedList & { needs?: keyof ExportedDetails })[] = [
  { member: 'recurring_streams', type: 'recurring_stream', entries: recurringStreams },
  { member: 'holdings', type: 'holding', needs: 'investments', entries: holdings },
  { member: 'holding_days', type: 'holding_day', needs: 'investments', entries: holdingDays },
  {
    member: 'securities',
    type: 'security',
    within: 'security',
    needs: 'investments',
    entries: (ctx, { view }) => new ExportedProducts(ctx).securities(view.pk),
  },
  {
    member: 'investment_transactions',
    type: 'investment_transaction',
    needs: 'investments',
    entries: investmentTransactions,
  },
  {
    member: 'liabilities',
    type: 'liability',
    needs: 'liabilities',
    entries: (ctx, { view }) => new ExportedProducts(ctx).liabilities(view.pk),
  },
];

/** The lists that may be shown, in the order of the document. */
export function listsFor(details: ExportedDetails): readonly ExportedList[] {
  return LISTS.filter(({ needs }) => needs === undefined || details[needs]);
}

async function* recurringStreams(ctx: Context, { view }: ExportedLink) {
  const search = await new RecurringSearchRepository(ctx).find(view.pk);
  for (const stream of search?.streams ?? []) yield renderStream(stream);
}

async function* holdings(ctx: Context, { view }: ExportedLink) {
  for await (const row of new ExportedProducts(ctx).holdings(view.pk))
    yield withDays(row.body, row.first_seen, row.ended);
}

async function* holdingDays(ctx: Context, { view }: ExportedLink) {
  for await (const day of new ExportedProducts(ctx).holdingDays(view.pk)) yield renderDay(day);
}

function renderDay({ day, account, holdings: held }: ExportedHoldingDay): string {
  return `${openObject({ day })},${account.slice(1, -1)},"holdings":[${held.join(',')}]}`;
}

async function* investmentTransactions(ctx: Context, { view, investmentSeq }: ExportedLink) {
  for await (const version of new ExportedProducts(ctx).trades(view.pk, investmentSeq))
    yield renderTrade(version);
}
