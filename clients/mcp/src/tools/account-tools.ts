import type { Account, CallOptions, Tributary } from '@tributary/node';
import { z } from 'zod';
import { linkChoice } from '../links/link-choice.js';
import { LinkReading } from '../links/link-reading.js';
import { untrustedText, untrustedValue } from '../results/untrusted-text.js';
import { offset, rowsFrom } from '../serving/inputs.js';
import { defineTool, type Tool } from '../serving/tool.js';

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
  const input = z.strictObject({ ...linkChoice(scopes), offset });
  const include = z
    .array(z.enum(details))
    .max(details.length)
    .default([])
    .describe('Adds the full account numbers, or the owners.');
  const list = defineTool({
    name: 'list_accounts',
    description:
      'List the accounts of all links, or of one, with their balances. What unread_links names is missing.',
    scope: 'transactions:read',
    input: details.length === 0 ? input : input.extend({ include }),
    async run({ offset: from, ...more }, context) {
      const { include: included = [], ...choice } = more as typeof more & { include?: Detail[] };
      const reading = await LinkReading.start(choice, context);
      const read = await reading.each('accounts', async (id) => {
        const { accounts, link } = await context.tributary.accounts.list(id, {}, reading.options);
        const extra = await Promise.all(
          included.map((detail) =>
            reading.orUnread(id, detail, () =>
              readDetail[detail](context.tributary, id, reading.options),
            ),
          ),
        );
        const rows = accounts.map((account) =>
          Object.assign(
            accountResult(account, id),
            ...extra.map((byAccount) => byAccount?.get(account.account_id)),
          ),
        );
        return { link, rows };
      });
      const { rows, next_offset } = rowsFrom(
        read.flatMap(({ rows: ofLink }) => ofLink),
        from,
      );
      return {
        ...reading.covering(
          read.map(({ link }) => link),
          ['accounts', ...included.map((name) => DETAILS[name].product)],
        ),
        accounts: rows,
        next_offset,
      };
    },
  });
  return [list];
}

function accountResult(account: Account, linkId: string) {
  const { currency, available, current, limit, balance_date } = account.balances;
  return {
    link_id: linkId,
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
  options: CallOptions,
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
