import { accountIdOf, accountsShownTo } from '../accounts/accounts.js';
import type { Customer } from '../customers/customer.js';
import { dayNumberOf, isoDateOf } from '../transactions/day-number.js';
import { scriptedIdOf } from '../transactions/scripted-transactions.js';
import { BankError } from '../http/bank-error.js';
import type { Route } from '../http/route.js';
import { readWorldTime } from '../http/world-time.js';
import { runScript } from '../scripts/apply-script.js';
import { readScript } from '../scripts/script-form.js';
import type { ConnectionStore } from '../customers/connection-store.js';
import type { ScriptedHistoryStore } from '../transactions/scripted-histories.js';
import { authorizedConnection, customerOf } from './authorized-customer.js';

const MOST_BODY_BYTES = 256 * 1024;

type ScriptEnd = ReturnType<typeof runScript>;

export interface ScriptRouteParts {
  connections: Pick<ConnectionStore, 'findByAccessToken'>;
  scripts: ScriptedHistoryStore;
  now: () => Date;
}

/**
 * Writes rows into a customer's history, all of the script or nothing. Source: link-lifecycle 14.
 */
export function runScriptRoute({ connections, scripts, now }: ScriptRouteParts): Route {
  return {
    method: 'POST',
    path: '/v1/connections/{connectionId}/script',
    async handle(request) {
      const connection = await authorizedConnection(request, connections);
      const customer = customerOf(connection);
      const script = readScript((await request.jsonObject(MOST_BODY_BYTES))['script']);
      if (script === null)
        throw new BankError('invalid_request', 'script is not of the agreed form.');
      const place = {
        today: isoDateOf(dayNumberOf(readWorldTime(request) ?? now())),
        accounts: accountsShownTo(customer).map((account) => ({
          accountId: accountIdOf(customer, account),
          currency: account.currency,
          isChecking: account.product === 'CHECKING',
        })),
      };
      let outcome: ScriptEnd | null = null as ScriptEnd | null;
      await scripts.change(connection.historyId, (rows) => {
        outcome = runScript(rows, script, place);
        return 'rows' in outcome ? outcome.rows : null;
      });
      return { status: 200, body: shown(customer, outcome) };
    },
  };
}

/** The changed rows in their new state, or the impossible step. */
function shown(customer: Customer, end: ScriptEnd | null) {
  if (end === null) throw new Error('the script was not run');
  if ('index' in end) return { impossible: { index: end.index, reason: end.reason }, rows: [] };
  const touched = end.rows.filter(({ ref }) => end.touched.includes(ref));
  return {
    impossible: null,
    rows: touched.map((row) => ({
      ref: row.ref,
      transaction_id: scriptedIdOf(customer, row),
      status: row.status,
    })),
  };
}
