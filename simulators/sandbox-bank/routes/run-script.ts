import { readBody, worldTimeOf } from '../http/bank-request.js';
import { z } from 'zod';
import { accountIdOf, accountsShownTo } from '../accounts/accounts.js';
import type { Bank } from '../bank.js';
import type { Customer } from '../customers/customer.js';
import type { SimulatorRequest } from '../../http/request.js';
import { applyHoldingsScript } from '../scripts/apply-holdings-script.js';
import { applyLiabilitiesScript } from '../scripts/apply-liabilities-script.js';
import { applyScript } from '../scripts/apply-script.js';
import { HoldingsScript, LiabilitiesScript } from '../scripts/change-forms.js';
import { Script } from '../scripts/script-form.js';
import { dayNumberOf, isoDateOf } from '../transactions/day-number.js';
import { scriptedIdOf } from '../transactions/scripted-transactions.js';
import { authorizedConnection, customerOf } from './authorized-customer.js';
import { stateOf } from './customer-state.js';

const MAX_BODY_BYTES = 256 * 1024;
const ScriptForm = z.object({ script: Script });
const HoldingsForm = z.object({ script: HoldingsScript });
const LiabilitiesForm = z.object({ script: LiabilitiesScript });

type ScriptEnd = ReturnType<typeof applyScript>;

/**
 * Writes rows into a customer's history, all of the script or nothing. Source: link-lifecycle 14.
 */
export async function runScript(bank: Bank, request: SimulatorRequest) {
  const connection = await authorizedConnection(request, bank);
  const customer = customerOf(connection);
  const { script } = await readBody(request, ScriptForm, MAX_BODY_BYTES);
  // Balances of investments and loans follow from their own movements.
  const place = {
    today: isoDateOf(dayNumberOf(worldTimeOf(request) ?? bank.now())),
    accounts: accountsShownTo({ ...customer, areas: [] }).map((account) => ({
      accountId: accountIdOf(customer, account),
      currency: account.currency,
      isChecking: account.product === 'CHECKING',
    })),
  };
  const end = await bank.scripts.change(connection.historyId, 'rows', (rows) =>
    applyScript(rows, script, place),
  );
  return shown(customer, end);
}

/** Changes the holdings of a customer, by all of the script or nothing. Source: link-lifecycle 14. */
export async function runHoldingsScript(bank: Bank, request: SimulatorRequest) {
  const connection = await authorizedConnection(request, bank);
  const { script } = await readBody(request, HoldingsForm, MAX_BODY_BYTES);
  const today = dayNumberOf(worldTimeOf(request) ?? bank.now());
  const end = await bank.scripts.change(connection.historyId, 'holdings', (before) =>
    applyHoldingsScript(before, script, { customer: customerOf(connection), today }),
  );
  return { impossible: 'index' in end ? end : null };
}

/** Changes debts of a customer, by all of the script or nothing. Source: link-lifecycle 14. */
export async function runLiabilitiesScript(bank: Bank, request: SimulatorRequest) {
  const connection = await authorizedConnection(request, bank);
  const { script } = await readBody(request, LiabilitiesForm, MAX_BODY_BYTES);
  const customer = customerOf(connection);
  const now = worldTimeOf(request) ?? bank.now();
  const { debts } = await stateOf(bank, { connection, customer, now });
  const accountIds = debts.map(({ account_id: id }) => id);
  const end = await bank.scripts.change(connection.historyId, 'liabilities', (before) =>
    applyLiabilitiesScript(before, script, accountIds),
  );
  return { impossible: 'index' in end ? end : null };
}

/** The changed rows in their new state, or the impossible step. */
function shown(customer: Customer, end: ScriptEnd) {
  if ('index' in end) return { impossible: { index: end.index, reason: end.reason }, rows: [] };
  const touched = end.after.filter(({ ref }) => end.touched.includes(ref));
  return {
    impossible: null,
    rows: touched.map((row) => ({
      ref: row.ref,
      transaction_id: scriptedIdOf(customer, row),
      status: row.status,
    })),
  };
}
