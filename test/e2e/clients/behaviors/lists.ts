import type { Behavior } from './behavior.js';
import type { Stage } from '../support/stage.js';

interface ReadPage {
  items: unknown[];
  next: string | number | null;
}

/** Reads a list as a whole, and page by page with the position of each. */
async function bothWays(
  { driver }: Stage,
  client: string,
  call: string,
  args: { path?: string[]; query: Record<string, unknown> },
  position: 'cursor' | 'page',
): Promise<{ all: unknown[]; pages: unknown[][] }> {
  const all = await driver.result<unknown[]>(call, { ...args, read: 'all' }, client);
  const pages: unknown[][] = [];
  for (let next: ReadPage['next'] | undefined; next !== null;) {
    const query = { ...args.query, ...(next === undefined ? {} : { [position]: next }) };
    const page = await driver.result<ReadPage>(call, { ...args, query, read: 'page' }, client);
    pages.push(page.items);
    next = page.next;
  }
  return { all, pages };
}

export const LIST_BEHAVIORS: readonly Behavior[] = [
  [
    'iterates over every list to its end, page after page',
    async (stage) => {
      const client = await stage.client();
      const userId = 'user / of lists?';
      const linkIds = [
        await stage.link(userId),
        await stage.link(userId),
        await stage.link(userId),
      ];
      const [linkId = ''] = linkIds;
      const user = { path: [userId] };
      const pairs = { start_date: '1900-01-01', size: 25 };
      const read = (call: string, args: Parameters<typeof bothWays>[3], position?: 'page') =>
        bothWays(stage, client, call, args, position ?? 'cursor');
      const lists = {
        links: await read('links.list', { query: { user: userId, limit: 1 } }),
        ofUser: await read('users.listLinks', { ...user, query: { limit: 2 } }),
        accounts: await read('users.listAccounts', { ...user, query: { limit: 2 } }),
        institutions: await read('institutions.list', { query: { limit: 2 } }),
        events: await read('webhooks.listEvents', { query: { link_id: linkId, limit: 2 } }),
        sessions: await read('linkSessions.list', { query: { limit: 2 } }),
        transactions: await read('transactions.list', { path: [linkId], query: pairs }, 'page'),
        ofAll: await read('users.listTransactions', { ...user, query: pairs }, 'page'),
      };
      for (const [name, { all, pages }] of Object.entries(lists))
        expect({ name, items: pages.flat() }).toEqual({ name, items: all });
      const ids = (items: unknown[]) =>
        (items as { link_id: string }[]).map((item) => item.link_id);
      expect(ids(lists.links.all)).toEqual(linkIds);
      expect(ids(lists.ofUser.all)).toEqual(linkIds);
      // A page counts accounts, so one link may begin on a page and end on the next one.
      expect([...new Set(ids(lists.accounts.all))]).toEqual(linkIds);
      const accounts = lists.accounts.all as { accounts: { account_id: string }[] }[];
      const accountIds = accounts.flatMap((each) => each.accounts.map((one) => one.account_id));
      expect(accountIds.length).toBeGreaterThan(linkIds.length);
      expect(new Set(accountIds).size).toBe(accountIds.length);
      for (const page of lists.accounts.pages as { accounts: unknown[] }[][])
        expect(page.flatMap((each) => each.accounts).length).toBeLessThanOrEqual(2);
      expect(lists.links.pages.length).toBeGreaterThanOrEqual(3);
      expect(lists.institutions.pages.length).toBeGreaterThan(1);
      expect(lists.events.pages.length).toBeGreaterThan(1);
      expect(lists.transactions).toMatchObject({ all: { length: 60 }, pages: { length: 3 } });
      expect(lists.ofAll).toMatchObject({ all: { length: 180 } });
    },
  ],
];
