import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { makeId } from '../../../domain/api/ids.js';
import { errorOf } from '../../support/services/api-client.js';
import { BANK, forceLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { fetchRows, get, linkOf, newUser, of, type UserTransactions } from './support/user-data.js';

apiOfFile();

const ids = (kind: 'link' | 'account', count: number) =>
  Array.from({ length: count }, () => makeId(kind, (length) => randomBytes(length)));

/** Connected links of a new user, with two accounts each, oldest first. */
async function manyLinks(count: number): Promise<{ user: string; linkIds: string[] }> {
  const user = newUser();
  const { customerUserPk } = await service.database.prisma.link.findUniqueOrThrow({
    where: { linkId: await linkOf(user) },
  });
  const { pool } = service.database;
  await pool.query(
    `INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, tags, connected_at)
     SELECT new_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, tags, connected_at
       FROM links, unnest($2::text[]) WITH ORDINALITY AS ids(new_id, place) WHERE customer_user_pk = $1::bigint ORDER BY place`,
    [customerUserPk, ids('link', count - 1)],
  );
  await pool.query(
    `INSERT INTO link_products (link_pk, product, position, required, prefetch, require_permission, extend_history, refreshed_at)
     SELECT links.pk, product, 10, false, false, false, false, now()
       FROM links, unnest(ARRAY['accounts', 'transactions']) AS product WHERE customer_user_pk = $1 ON CONFLICT DO NOTHING`,
    [customerUserPk],
  );
  await pool.query(
    `INSERT INTO accounts (account_id, link_pk, provider_account_id, account_type, name, currency, position)
     SELECT ids.account_id, link.pk, 'p' || place, 'depository.checking', 'Account ' || place, 'USD', place
       FROM (SELECT pk, row_number() OVER (ORDER BY pk) AS number FROM links WHERE customer_user_pk = $1) AS link
       JOIN unnest($2::text[]) WITH ORDINALITY AS ids(account_id, place) ON (place + 1) / 2 = link.number`,
    [customerUserPk, ids('account', 2 * count)],
  );
  const { rows } = await pool.query<{ link_id: string }>(
    'SELECT link_id FROM links WHERE customer_user_pk = $1 ORDER BY pk',
    [customerUserPk],
  );
  return { user, linkIds: rows.map(({ link_id: linkId }) => linkId) };
}

/**
 * The number of statements about links and their data that this process sends to the database
 * during `work`.
 */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const sent = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const texts = sent.mock.calls.map(([what]: unknown[]) =>
      typeof what === 'string' ? what : (what as { text: string }).text,
    );
    return texts.filter((text) => /\b(?:links|accounts|transaction_versions)\b/.test(text)).length;
  } finally {
    sent.mockRestore();
  }
}

describe('GET /users/{id}/links, /accounts and /transactions', () => {
  it('returns nothing for an unknown user', async () => {
    expect(await get(of('no_one', 'accounts'))).toEqual({ links: {}, next_cursor: '' });
    expect(await get(of('no_one', 'links'))).toEqual({ links: {}, next_cursor: '' });
    expect(await get(of('no_one', 'transactions'))).toEqual({
      total: 0,
      page: 1,
      size: 0,
      transactions: [],
      accounts: {},
    });
  });

  it('returns links, and accounts by link, of this app and environment only', async () => {
    const user = newUser();
    const [first, second] = [await linkOf(user), await linkOf(user)];
    await linkOf(user, await service.token('rival'));
    const { links } = await get<{ links: Record<string, unknown> }>(of(user, 'links'));
    expect(Object.keys(links)).toEqual([first, second]);
    expect(links[first]).toEqual(await get(`/links/${first}`));
    const accounts = await get<{
      links: Record<
        string,
        { accounts: { account_id: string; name: string }[]; last_synced_at: string }
      >;
    }>(of(user, 'accounts'));
    expect(Object.keys(accounts.links)).toEqual([first, second]);
    const { accounts: its, link } = await get<{
      accounts: { account_id: string }[];
      link: { last_synced_at: string };
    }>(`/links/${first}/accounts`);
    expect(accounts.links[first]).toEqual({ accounts: its, last_synced_at: link.last_synced_at });

    const [{ account_id: one } = { account_id: '' }] = its;
    expect(
      (await get<typeof accounts>(`${of(user, 'accounts')}?account_ids=${one},acc_nobody`)).links[
        first
      ]?.accounts,
    ).toMatchObject([{ account_id: one }]);
    expect(await get(`${of(user, 'accounts')}?institution_ids=elsewhere`)).toEqual({
      links: {},
      next_cursor: '',
    });
    expect(
      Object.keys(
        (
          await get<typeof accounts>(
            `${of(user, 'accounts')}?institution_ids=elsewhere&institution_ids=${BANK}`,
          )
        ).links,
      ),
    ).toEqual([first, second]);
    expect(await get(of(user, 'links'), await service.token('pocket-ledger', 'live'))).toEqual({
      links: {},
      next_cursor: '',
    });
  });

  it('returns no data of links that cannot be read, and no deleted link', async () => {
    const user = newUser();
    const links = {
      connected: await linkOf(user),
      failed: await linkOf(user),
      broken: await linkOf(user),
      connecting: await linkOf(user),
      deleted: await linkOf(user),
    };
    for (const linkId of [links.connected, links.broken, links.failed])
      await fetchRows(linkId, [{}]);
    await forceLink(service, links.failed, {
      state: 'error',
      errorCode: 'user_error',
      connectedAt: null,
    });
    await forceLink(service, links.broken, { state: 'error', errorCode: 'auth_expired' });
    await forceLink(service, links.connecting, { state: 'connecting', connectedAt: null });
    await service.api.as(token).delete(`/links/${links.deleted}`);
    expect(Object.keys((await get<{ links: object }>(of(user, 'links'))).links)).toEqual([
      links.connected,
      links.failed,
      links.broken,
      links.connecting,
    ]);
    expect(Object.keys((await get<{ links: object }>(of(user, 'accounts'))).links)).toEqual([
      links.connected,
      links.broken,
    ]);
    const { total, accounts } = await get<UserTransactions>(
      `${of(user, 'transactions')}?start_date=1900-01-01`,
    );
    expect(total).toBe(2);
    expect(
      Object.values(accounts)
        .map(({ link_id: linkId }) => linkId)
        .sort(),
    ).toEqual([links.connected, links.broken].sort());
  });

  interface LinksPage {
    links: Record<string, unknown>;
    next_cursor: string;
  }

  it.each([
    ['links', 3, [3, 3, 1]],
    // The first link has four, the others two.
    ['accounts', 6, [2, 3, 2]],
  ])('returns each of more %s than fit on one page exactly once', async (what, limit, sizes) => {
    const { user, linkIds } = await manyLinks(7);
    const whole = await get<LinksPage>(of(user, what));
    expect({ links: Object.keys(whole.links), next_cursor: whole.next_cursor }).toEqual({
      links: linkIds,
      next_cursor: '',
    });
    const pages: LinksPage[] = [];
    for (
      let cursor: string | undefined = '';
      cursor !== undefined;
      cursor = pages.at(-1)?.next_cursor || undefined
    ) {
      pages.push(await get<LinksPage>(`${of(user, what)}?limit=${limit}&cursor=${cursor}`));
    }
    expect(pages.map(({ links }) => Object.keys(links).length)).toEqual(sizes);
    expect(Object.assign({}, ...pages.map(({ links }) => links))).toEqual(whole.links);
  });

  it('pages by links, including those that cannot be read', async () => {
    const { user, linkIds } = await manyLinks(4);
    await forceLink(service, linkIds[0] ?? '', { state: 'connecting', connectedAt: null });
    const first = await get<LinksPage>(`${of(user, 'accounts')}?limit=1`);
    expect({ links: first.links, next_cursor: first.next_cursor }).toEqual({
      links: {},
      next_cursor: expect.stringMatching(/./),
    });
    const rest = await get<LinksPage>(`${of(user, 'accounts')}?cursor=${first.next_cursor}`);
    expect({ links: Object.keys(rest.links), next_cursor: rest.next_cursor }).toEqual({
      links: linkIds.slice(1),
      next_cursor: '',
    });
  });

  it.each([
    'links?limit=0',
    'links?limit=1001',
    'accounts?limit=1001',
    'links?cursor=x',
    'accounts?cursor=x',
  ])('refuses %s', async (query) => {
    const response = await service.api
      .as(token)
      .get(of('no_one', query.split('?')[0] ?? '') + `?${query.split('?')[1]}`);
    expect(errorOf(response)).toMatchObject({
      status: 422,
      code: 'api_error.request.validation_failed',
    });
  });

  /** Reads change nothing, so they share a user with each number of links. */
  const users = new Map<number, ReturnType<typeof manyLinks>>();
  const userWith = (count: number): ReturnType<typeof manyLinks> => {
    const shared = users.get(count) ?? manyLinks(count);
    users.set(count, shared);
    return shared;
  };

  it.each(['links', 'accounts', 'transactions'])(
    'uses, for a user with 300 links, as many statements for their %s as for a user with one',
    async (what) => {
      const statementsOf = async (count: number) => {
        const { user } = await userWith(count);
        return countStatements(() => get(of(user, what)));
      };
      await statementsOf(1);
      expect(await statementsOf(300)).toBe(await statementsOf(1));
    },
  );
});
