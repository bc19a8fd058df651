import type { Link, Transaction, World } from '../../../clients/node/src/index.js';
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
