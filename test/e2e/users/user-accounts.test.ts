import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { makeId } from '../../../domain/api/ids.js';
import { AccountRepository } from '../../../prisma/links/accounts/account.repository.js';
import { SEED } from '../../support/runner/seed.js';
import { forceLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service } from '../../support/services/api-of-file.js';
import { get, linkOf, newUser, of } from './support/user-data.js';

apiOfFile();

interface AccountsPage {
  links: Record<string, { accounts: { account_id: string }[] }>;
  next_cursor: string;
}

const newId = (kind: 'link' | 'account') => makeId(kind, (length) => randomBytes(length));
const query = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);
const idsOf = ({ links }: AccountsPage) =>
  Object.values(links).flatMap(({ accounts }) => accounts.map(({ account_id: id }) => id));

let like: string;
beforeAll(async () => {
  like = await linkOf(newUser());
});

/** A new user with a link without accounts. */
async function userWithLink(): Promise<{ user: string; first: string }> {
  const user = newUser();
  await query(
    `INSERT INTO customer_users (app_id, environment, user_id) SELECT app_id, environment, $2 FROM links WHERE link_id = $1`,
    [like, user],
  );
  return { user, first: await addLink(like, user) };
}

/** A link like another one, newer than all others. @param user null = the user of the other one */
async function addLink(like: string, user: string | null = null): Promise<string> {
  const linkId = newId('link');
  await query(
    `WITH made AS (
       INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, tags, connected_at)
       SELECT $2, app_id, environment, client_id, coalesce((SELECT u.pk FROM customer_users u WHERE u.user_id = $3), customer_user_pk), institution_id, provider, 'connected', tags, connected_at FROM links WHERE link_id = $1
       RETURNING pk)
     INSERT INTO link_products (link_pk, product, position, required, prefetch, require_permission, extend_history, refreshed_at)
     SELECT pk, 'accounts', 1, false, false, false, false, now() FROM made`,
    [like, linkId, user],
  );
  return linkId;
}

async function addAccounts(linkId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('account'));
  await query(
    `INSERT INTO accounts (account_id, link_pk, provider_account_id, account_type, name, currency, position)
     SELECT id, pk, id, 'depository.checking', 'Account ' || place, 'USD', -place
       FROM links, unnest($2::text[]) WITH ORDINALITY AS made(id, place) WHERE link_id = $1`,
    [linkId, ids],
  );
  return ids;
}

async function* pagesOf(user: string, limit: number): AsyncGenerator<AccountsPage> {
  for (let cursor = ''; ;) {
    const page = await get<AccountsPage>(`${of(user, 'accounts')}?limit=${limit}&cursor=${cursor}`);
    yield page;
    cursor = page.next_cursor;
    if (cursor === '') return;
  }
}

describe('A page of the accounts of a user', () => {
  it('holds no more accounts than its limit, and continues within a link that alone has more', async () => {
    const { user, first } = await userWithLink();
    const [second, third] = [await addLink(first), await addLink(first)];
    const accounts = {
      [first]: await addAccounts(first, 2),
      [second]: await addAccounts(second, 7),
      [third]: await addAccounts(third, 3),
    };
    const pages: [string, number][][] = [];
    const seen: string[] = [];
    for await (const page of pagesOf(user, 3)) {
      pages.push(
        Object.entries(page.links).map(([id, { accounts: its }]) => [id, its.length] as const),
      );
      seen.push(...idsOf(page));
    }
    expect(pages).toEqual([
      [[first, 2]],
      [[second, 3]],
      [[second, 3]],
      [[second, 1]],
      [[third, 3]],
    ]);
    expect(new Set(seen)).toEqual(new Set(Object.values(accounts).flat()));
    expect(seen).toHaveLength(12);
  });

  it('shows a link whole, in the order of its institution, when it fits on a page of its own', async () => {
    const { user, first } = await userWithLink();
    const second = await addLink(first);
    const [ofFirst, ofSecond] = [await addAccounts(first, 3), await addAccounts(second, 4)];
    const pages: AccountsPage[] = [];
    for await (const page of pagesOf(user, 5)) pages.push(page);
    expect(pages.map(idsOf)).toEqual([ofFirst.toReversed(), ofSecond.toReversed()]);
  });

  it('reads, of a user with many accounts, only those of the links that it shows', async () => {
    const { user, first } = await userWithLink();
    await addAccounts(first, 200);
    for (let link = 1; link < 8; link += 1) await addAccounts(await addLink(first), 1_100);
    const { text } = await service.api
      .as(await service.token('pocket-ledger'))
      .get(`${of(user, 'accounts')}?limit=1000`);
    // 200 of the first link; the second does not fit beside them.
    expect(idsOf(JSON.parse(text) as AccountsPage)).toHaveLength(200);
    const links = await query(
      'SELECT pk FROM links WHERE customer_user_pk = (SELECT customer_user_pk FROM links WHERE link_id = $1) ORDER BY pk',
      [first],
    );
    const sent = jest.spyOn(service.database.pool, 'query');
    const read = await new AccountRepository(service.ctx).firstOf(
      (links.rows as { pk: string }[]).map(({ pk }) => BigInt(pk)),
      { limit: 1_000 },
    );
    const results = (await Promise.all(
      sent.mock.results.map(({ value }) => value as Promise<unknown>),
    )) as { rows: unknown[] }[];
    sent.mockRestore();
    expect(results.map(({ rows }) => rows.length)).toEqual([1_001]);
    expect([...read.byLink.values()].map((accounts) => accounts.length)).toEqual([200]);
  });

  const change = fc.oneof(
    fc.record({ kind: fc.constant('link' as const), accounts: fc.nat(4) }),
    fc.record({
      kind: fc.constantFrom('account', 'close', 'reorder', 'hide', 'delete'),
      of: fc.nat(9),
    }),
  );
  const plan = fc.record({
    links: fc.array(fc.nat(6), { minLength: 1, maxLength: 5 }),
    limit: fc.integer({ min: 1, max: 5 }),
    changes: fc.array(change, { maxLength: 8 }),
  });

  it('shows each account that can be read throughout exactly once, whatever changes between pages', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ links: sizes, limit, changes }) => {
        const { user, first } = await userWithLink();
        const links = [{ id: first, accounts: await addAccounts(first, sizes[0] ?? 0) }];
        for (const size of sizes.slice(1)) {
          const id = await addLink(first);
          links.push({ id, accounts: await addAccounts(id, size) });
        }
        const stable = new Set(links.flatMap(({ accounts }) => accounts));
        const seen: string[] = [];
        const waiting = [...changes];
        for await (const page of pagesOf(user, limit)) {
          const ids = idsOf(page);
          expect(ids.length).toBeLessThanOrEqual(limit);
          expect(Object.keys(page.links).length).toBeLessThanOrEqual(limit);
          seen.push(...ids);
          const next = waiting.shift();
          if (next === undefined) continue;
          if (next.kind === 'link') {
            const id = await addLink(first);
            links.push({ id, accounts: await addAccounts(id, next.accounts) });
            continue;
          }
          const link = links[next.of % links.length];
          if (link === undefined) continue;
          if (next.kind === 'account') await addAccounts(link.id, 2);
          if (next.kind === 'reorder')
            await query(
              'UPDATE accounts SET position = -position WHERE link_pk = (SELECT pk FROM links WHERE link_id = $1)',
              [link.id],
            );
          if (next.kind === 'close') {
            const [closed] = link.accounts;
            await query('UPDATE accounts SET closed = true WHERE account_id = $1', [closed ?? '']);
            if (closed !== undefined) stable.delete(closed);
          }
          if (next.kind === 'hide' || next.kind === 'delete') {
            for (const id of link.accounts) stable.delete(id);
            await (next.kind === 'hide'
              ? forceLink(service, link.id, { state: 'connecting', connectedAt: null })
              : query("UPDATE links SET state = 'deleted', deleted_at = now() WHERE link_id = $1", [
                  link.id,
                ]));
          }
        }
        expect(seen.filter((id, index) => seen.indexOf(id) !== index)).toEqual([]);
        expect([...stable].filter((id) => !seen.includes(id))).toEqual([]);
      }),
      { seed: SEED, numRuns: 25 },
    );
  });
});
