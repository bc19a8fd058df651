// cspell:ignoreRegExp /\b[A-Z]{4,}\b/g
import { holdingsOf } from '../../../simulators/sandbox-bank/investments/holdings.js';
import type { HoldingsChange } from '../../../simulators/sandbox-bank/investments/holdings-change.js';
import { applyHoldingsScript } from '../../../simulators/sandbox-bank/scripts/apply-holdings-script.js';
import type { HoldingsStep } from '../../../simulators/sandbox-bank/scripts/change-forms.js';
import { dayOf } from '../../../simulators/sandbox-bank/transactions/day-number.js';
import { customerOf } from './support/customers.js';

const TODAY = dayOf(2026, 3, 3);
const customer = customerOf('user_good', { worldSeed: '7', areas: ['investments'] });

const held = (symbol: string, day: number, changes: readonly HoldingsChange[]) =>
  holdingsOf(customer, day, changes).holdings.find(({ security }) => security.symbol === symbol);

function changesBy(...steps: HoldingsStep[]): HoldingsChange[] {
  const end = applyHoldingsScript([], steps, { customer, today: TODAY });
  if ('index' in end) throw new Error(end.reason);
  return end.after;
}

describe('A position that a script moved', () => {
  const id = held('EXSY', TODAY, [])?.holding_id ?? '';

  it('is no longer traded by the bank itself, but splits with its price', () => {
    const changes = changesBy({ verb: 'trade', holding_id: id, quantity: '30', price: '1' });
    const before = Number(held('EXSY', dayOf(2026, 6, 30), changes)?.quantity);
    expect(before).toBe(Number(held('EXSY', TODAY, [])?.quantity) + 30);
    const ratio = Number(held('EXSY', dayOf(2026, 7, 8), changes)?.quantity) / before;
    expect(ratio).toBe(2);
  });

  it('stays sold', () => {
    const quantity = `-${held('EXSY', TODAY, [])?.quantity}`;
    const changes = changesBy({ verb: 'trade', holding_id: id, quantity });
    expect(held('EXSY', dayOf(2027, 12, 31), changes)).toBeUndefined();
  });
});
