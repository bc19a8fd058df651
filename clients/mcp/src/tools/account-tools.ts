import type { Account, Tributary } from '@tributary/node';
import { z } from 'zod';
import { freshnessOf } from '../results/freshness.js';
import { untrustedText, untrustedValue } from '../results/untrusted-text.js';
import { linkId, offset, rowsFrom } from '../serving/inputs.js';
import { defineTool, type Tool, type ToolContext } from '../serving/tool.js';

/** Details that an account has only for key pairs with their scope. */
const DETAILS = {
  numbers: { scope: 'numbers:read', product: 'account_numbers' },
  owners: { scope: 'identity:read', product: 'identity' },
} as const;
type Detail = keyof typeof DETAILS;

/** @param scopes of the key pair, by name: products:read alone shows neither numbers nor owners */
export function accountTools(scopes: ReadonlySet<string>): Tool[] {
  const details = (Object.keys(DETAILS) as Detail[]).filter((name) =>
    scopes.has(DETAILS[name].scope),
  );
  const input = z.strictObject({ link_id: linkId, offset });
  const include = z
    .array(z.enum(details))
    .max(details.length)
    .default([])
    .describe('Adds the full account numbers, or the owners.');
  const list = defineTool({
    name: 'list_accounts',
    description: 'List the accounts of a link with their balances.',
    scope: 'transactions:read',
    input: details.length === 0 ? input : input.extend({ include }),
    async run({ link_id: id, offset: from, ...more }, { tributary, options }) {
      const included = ('include' in more ? more.include : []) as Detail[];
      const { accounts, link } = await tributary.accounts.list(id, {}, options);
      const extra = await Promise.all(
        included.map((detail) => readDetail[detail](tributary, id, options)),
      );
      const { rows, next_offset } = rowsFrom(accounts, from);
      return {
        ...freshnessOf(link, ['accounts', ...included.map((name) => DETAILS[name].product)]),
        link_id: link.link_id,
        accounts: rows.map((account) =>
          Object.assign(
            accountResult(account),
            ...extra.map((byAccount) => byAccount.get(account.account_id)),
          ),
        ),
        next_offset,
      };
    },
  });
  return [list];
}

function accountResult(account: Account) {
  const { currency, available, current, limit, balance_date } = account.balances;
  return {
    account_id: account.account_id,
    account_type: account.account_type,
    untrusted_name: untrustedText(account.name),
    untrusted_nickname: untrustedText(account.nickname),
    untrusted_mask: untrustedText(account.account_mask),
    closed: account.closed,
    missing_since: account.missing_since,
    balances: { currency, available, current, limit, balance_date },
  };
}

type ReadDetail = (
  tributary: Tributary,
  linkId: string,
  options: ToolContext['options'],
) => Promise<Map<string, object>>;

/** Further fields of the accounts of a link, by account. */
const readDetail: Record<Detail, ReadDetail> = {
  async numbers(tributary, id, options) {
    const { accounts } = await tributary.accounts.listNumbers(id, {}, options);
    return new Map(
      accounts.map(({ account_id, numbers }) => [
        account_id,
        { untrusted_numbers: untrustedValue(numbers) },
      ]),
    );
  },
  async owners(tributary, id, options) {
    const { accounts } = await tributary.identity.get(id, {}, options);
    return new Map(
      accounts.map(({ account_id, owners }) => [
        account_id,
        { untrusted_owners: untrustedValue(owners) },
      ]),
    );
  },
};
