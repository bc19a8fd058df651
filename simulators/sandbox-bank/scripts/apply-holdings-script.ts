import { Exact } from '../accounts/figures.js';
import type { Customer } from '../customers/customer.js';
import { listedHoldings, type ListedPosition } from '../investments/holdings.js';
import type { HoldingsChange } from '../investments/holdings-change.js';
import { portfoliosOf } from '../investments/portfolios.js';
import { reissuedId, reissuesIn } from '../investments/scripted-holding.js';
import { TRADED } from '../investments/security-list.js';
import { applySteps, Impossible, type ImpossibleStep } from './apply-steps.js';
import type { HoldingsStep } from './change-forms.js';

/** The permission whose holdings a script changes, and the day in its world. */
interface Place {
  customer: Customer;
  today: number;
}

/** All changes after the script; or the impossible step, without any change. */
export const applyHoldingsScript = (
  before: readonly HoldingsChange[],
  script: readonly HoldingsStep[],
  place: Place,
): { after: HoldingsChange[] } | ImpossibleStep =>
  applySteps([...before], script, (changes, step) => [...changes, changeBy(step, changes, place)]);

/** The change that a step makes: everything it names is resolved. */
function changeBy(
  step: HoldingsStep,
  before: readonly HoldingsChange[],
  place: Place,
): HoldingsChange {
  if (step.verb === 'reissue_ids') return { verb: 'reissue_ids' };
  const move = { key: `script/${before.length}`, day: place.today };
  if (step.verb === 'trade') return tradeBy(step, before, { ...place, move });
  const { holding, position } = find(step.holding_id, before, place);
  const [security, { source }] = [position.security.key, position];
  switch (step.verb) {
    case 'set':
      return { verb: 'set', holding: holding.holding_id, fields: step.fields };
    case 'drop':
      return { verb: 'drop', holding: holding.holding_id };
    case 'rename':
      return { ...step, security };
    case 'split':
      if (new Exact(step.ratio).isZero()) throw new Impossible('The ratio is 0.');
      return { verb: 'split', ...move, security, ratio: step.ratio };
    case 'dividend':
      return {
        verb: 'dividend',
        ...move,
        accountId: holding.account_id,
        security,
        source,
        amount: step.amount,
        taxes: step.taxes ?? null,
      };
  }
}

function tradeBy(
  step: Extract<HoldingsStep, { verb: 'trade' }>,
  before: readonly HoldingsChange[],
  { move, ...place }: Place & { move: { key: string; day: number } },
): HoldingsChange {
  if (new Exact(step.quantity).isZero()) throw new Impossible('The quantity is 0.');
  const { market } = portfoliosOf(place.customer, place.today, before);
  const { accountId, security, source } = tradedPosition(step, before, place);
  return {
    verb: 'trade',
    ...move,
    accountId,
    security: security.key,
    source,
    quantity: step.quantity,
    price: step.price ?? market.quoteOn(security, place.today).price.toFixed(),
    fees: step.fees ?? null,
  };
}

/** The position of the named holding, or the one that a first purchase opens. */
function tradedPosition(
  { holding_id: id, account_id: accountId, symbol }: Extract<HoldingsStep, { verb: 'trade' }>,
  before: readonly HoldingsChange[],
  place: Place,
) {
  if (id !== undefined) {
    const { holding, position } = find(id, before, place);
    return { accountId: holding.account_id, ...position };
  }
  const found = listedHoldings(place.customer, place.today, before).find(
    ({ account }) => account.accountId === accountId,
  );
  if (found === undefined) throw new Impossible('Account not found.');
  const security = TRADED.find(({ shown }) => shown.symbol === symbol);
  if (security === undefined) throw new Impossible('The bank does not trade this symbol.');
  const { currency } = security.shown;
  if ((currency === 'GBX' ? 'GBP' : currency) !== found.account.template.currency)
    throw new Impossible('The account has another currency.');
  if (found.positions.some((position) => position.security.key === security.key))
    throw new Impossible('The account has the security already; name its holding.');
  return { accountId: found.account.accountId, security, source: null };
}

/** A row of the list, by the newest id or an earlier one. */
function find(id: string, changes: readonly HoldingsChange[], place: Place): ListedPosition {
  const times = Array.from({ length: reissuesIn(changes) + 1 }, (_, count) => count);
  const row = listedHoldings(place.customer, place.today, changes)
    .flatMap(({ rows }) => rows)
    .find(({ holding }) =>
      times.some((count) => reissuedId(place.customer, holding.holding_id, count) === id),
    );
  if (row === undefined) throw new Impossible('Holding not found.');
  return row;
}
