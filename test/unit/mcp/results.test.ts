import type {
  Holding,
  InvestmentTransaction,
  Liability,
  Link,
  Security,
  Transaction,
  World,
} from '../../../clients/node/src/index.js';
import {
  holdingResult,
  investmentTransactionResult,
} from '../../../clients/mcp/src/results/investment-result.js';
import { liabilityResult } from '../../../clients/mcp/src/results/liability-result.js';
import { detailedLinkResult } from '../../../clients/mcp/src/results/link-result.js';
import { linkPart } from '../../../clients/mcp/src/results/link-part.js';
import { transactionResult } from '../../../clients/mcp/src/results/transaction-result.js';
import { worldResult } from '../../../clients/mcp/src/tools/world-tools.js';
import { HOSTILE_TEXTS } from '../../support/fixtures/hostile-texts.js';

/** A link whose texts that users, banks and operators of banks choose are all `text`. */
const link = (text: string) =>
  ({
    link_id: 'mk_1',
    customer_user_id: text,
    institution_id: 'sandbox-oauth-bank',
    institution_name: text,
    provider: 'sandbox',
    state: 'error',
    error_code: 'institution_error',
    error_message: text,
    last_synced_at: null,
    permission_ends_at: null,
    tags: [text],
    link_tags: [text],
    webhook: `https://app.example/${encodeURIComponent(text)}`,
    products: {
      accounts: {
        refreshed_at: null,
        stale: true,
        last_attempted_at: null,
        next_refresh_at: null,
        error_code: 'institution_error',
        problem: { message: text, remedy: 'wait' },
        incomplete: [
          { account_id: 'acc_1', account_name: text, reason: 'unreadable_row', since: null },
        ],
      },
    },
  }) as unknown as Link;

const transaction = (text: string) =>
  ({
    transaction_id: 'txn_1',
    account_id: 'acc_1',
    date: '2026-03-01T00:00:00',
    amount: 1,
    currency: 'EUR',
    type: 'debit',
    pending: false,
    category: null,
    description: text,
    raw_description: text,
    original_id: text,
    counterparty: { name: text, account_mask: text, kind: 'person' },
    merchant: { name: text, mcc: null },
    remittance: text,
    references: { end_to_end: text, mandate: text, creditor: text, check_number: text },
  }) as unknown as Transaction;

const security = (text: string) =>
  ({
    security_id: 'sct_1',
    name: text,
    symbol: text,
    exchange: text,
    isin: 'US99900A1007',
    type: 'derivative',
    subtype: text,
    option: { underlying_symbol: text, kind: 'call', expires_on: '2026-06-19', strike_price: '1' },
    fixed_income: null,
  }) as unknown as Security;

const holding = (text: string) =>
  ({
    holding_id: 'hld_1',
    account_id: 'acc_1',
    security_id: 'sct_1',
    quantity: '1',
    value: 1,
    cost_basis_reported: text,
    contribution_source: text,
    lots: [
      { lot_id: text, acquired_on: '2026-03-01', quantity: '1', cost_basis: '1', value: null },
    ],
  }) as unknown as Holding;

const trade = (text: string) =>
  ({
    investment_transaction_id: 'itx_1',
    account_id: 'acc_1',
    security_id: 'sct_1',
    type: 'buy',
    subtype: text,
    source_code: text,
    date: '2026-03-01T00:00:00',
    description: text,
  }) as unknown as InvestmentTransaction;

const debt = (text: string) =>
  ({ account_id: 'acc_1', kind: 'loan', payment_frequency: text }) as unknown as Liability;

const world = (text: string) =>
  ({ world_id: 'wld_1', name: text, now: '2026-03-02T00:00:00.000', seed: 7 }) as World;

const withoutUntrusted = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, each: unknown) =>
      name.startsWith('untrusted_') ? undefined : each,
    ),
  );

describe('A text that a bank, a payer or a user chose', () => {
  it.each<[string, (text: string) => unknown]>([
    ['a link', (text) => detailedLinkResult(link(text))],
    ['a link beside its rows', (text) => linkPart(link(text), ['accounts'])],
    ['a transaction', (text) => transactionResult(transaction(text))],
    ['a holding', (text) => holdingResult(holding(text), security(text))],
    [
      'an investment transaction',
      (text) => investmentTransactionResult(trade(text), security(text)),
    ],
    ['a debt', (text) => liabilityResult(debt(text))],
    ['a world', (text) => worldResult(world(text))],
  ])(
    'changes only the untrusted fields of %s, and stands there without hidden characters',
    (_name, resultOf) => {
      for (const attack of Object.values(HOSTILE_TEXTS)) {
        expect(withoutUntrusted(resultOf(attack))).toEqual(withoutUntrusted(resultOf('x')));
        expect(JSON.stringify(resultOf(attack))).not.toMatch(
          /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        );
      }
    },
  );
});
