import { eventually } from '../../support/assertions/eventually.js';
import { listedInstitution } from '../../support/fixtures/listed-institution.js';
import { store } from '../../support/fixtures/linking-store.js';
import {
  catalog,
  find,
  IN_DENMARK,
  jyske,
  listedIds,
  openCatalog,
  routesOf,
  switchTo,
} from './support/listed-catalog.js';

openCatalog();

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    listedInstitution({
      remoteId: `r${index}`,
      name: `Number ${index}`,
      domain: `n${index}.example`,
    }),
  );

/** Identifies each stored row of the catalog with the transaction that wrote it. */
async function writtenRows(): Promise<string[]> {
  const tables = ['catalog_entries', 'institutions', 'institution_routes', 'institution_aliases'];
  const found = await Promise.all(
    tables.map((name) =>
      store.ctx.database.pool.query<{ row: string }>(
        `SELECT '${name}' || ctid::text || xmin::text AS row FROM ${name}`,
      ),
    ),
  );
  return found.flatMap(({ rows }) => rows.map(({ row }) => row)).sort();
}

describe("The switch to a provider's list", () => {
  it('creates institutions with routes, found by every name', async () => {
    expect(
      await switchTo('north', [jyske({ otherNames: ['Sparkassen Nordjylland'], login: 'page' })]),
    ).toEqual({ kind: 'switched', listed: 1, added: 1, changed: 0, gone: 0, doubtful: 0 });
    expect(await find('jyske-bank-dk')).toMatchObject({
      name: 'Jyske Bank',
      domain: 'jyskebank.dk',
      login: 'oauth',
      routes: [
        {
          provider: 'north',
          remoteId: 'jyske',
          login: 'page',
          products: ['accounts', 'transactions'],
        },
      ],
    });
    const { institutions } = await store.institutions.search(IN_DENMARK, {
      query: 'nordjylland',
      country: null,
      cursor: null,
      limit: 5,
    });
    expect(institutions.map(({ institutionId }) => institutionId)).toEqual(['jyske-bank-dk']);
  });

  it('writes nothing that is already stored', async () => {
    const list = [...many(30), jyske({ aliases: ['jb'] })];
    await switchTo('north', list);
    const before = await writtenRows();
    expect(await switchTo('north', [...list].reverse())).toMatchObject({ added: 0, changed: 0 });
    expect(await writtenRows()).toEqual(before);
    expect(
      await switchTo('north', [...list.slice(1), { ...many(1)[0], name: 'Changed' } as never]),
    ).toMatchObject({
      changed: 1,
    });
    const after = await writtenRows();
    expect(before.filter((row) => !after.includes(row))).toHaveLength(2);
  });

  it('joins the lists of several providers, and no provider undoes an entry that another one lists', async () => {
    await switchTo('north', [jyske({ color: '#102030', aliases: ['north-alias'] })]);
    await switchTo('south', [
      listedInstitution({
        remoteId: '7',
        name: 'JYSKE BANK A/S',
        bic: 'JYBADKKKXXX',
        aliases: ['south-alias'],
      }),
    ]);
    expect(await find('jyske-bank-dk')).toMatchObject({
      name: 'Jyske Bank',
      color: '#102030',
      aliases: ['north-alias', 'south-alias'],
    });
    expect(await routesOf('jyske-bank-dk')).toEqual(['north jyske', 'south 7']);
    await switchTo('south', [listedInstitution({ remoteId: '7', name: 'JB', bic: 'JYBADKKK' })]);
    expect(await find('jyske-bank-dk')).toMatchObject({
      name: 'Jyske Bank',
      aliases: ['north-alias'],
    });
  });

  it('does not overwrite shared facts at the start of a worker', async () => {
    await switchTo('north', [jyske({ color: '#102030', logoUrl: 'https://cdn.example/j.svg' })]);
    await store.institutions.syncCatalog('static', [
      {
        institutionId: 'jyske-bank-dk',
        remoteId: 'x',
        name: 'Written last',
        country: 'DK',
        domain: null,
        color: null,
        colorDark: null,
        isFeatured: true,
        environment: 'live',
        login: 'none',
        products: ['accounts'],
        aliases: ['of-static'],
      },
    ]);
    expect(await find('jyske-bank-dk')).toMatchObject({
      name: 'Jyske Bank',
      color: '#102030',
      isFeatured: true,
      aliases: ['of-static'],
    });
    expect(await routesOf('jyske-bank-dk')).toEqual(['north jyske', 'static x']);
  });

  it('never joins institutions of Sandbox and Live', async () => {
    await switchTo('north', [jyske()]);
    await catalog.switchTo({
      provider: 'vendor-sandbox',
      environment: 'sandbox',
      entries: [jyske()],
      acceptLosses: false,
    });
    expect(await routesOf('jyske-bank-dk')).toEqual(['north jyske']);
    expect(await store.institutions.find(['sandbox'], 'jyske-bank-dk-2')).not.toBeNull();
  });

  it('unlists entries that are gone, and restores them under their ids', async () => {
    await switchTo('north', [jyske(), ...many(3)]);
    expect(await switchTo('north', many(3))).toMatchObject({ gone: 1 });
    expect(await listedIds()).not.toContain('jyske-bank-dk');
    expect(await find('jyske-bank-dk')).toMatchObject({ name: 'Jyske Bank', routes: [] });
    await switchTo('south', [jyske({ remoteId: 's', domain: null, bic: null })]);
    await switchTo('north', [jyske({ name: 'Renamed' }), ...many(3)]);
    expect(await routesOf('jyske-bank-dk')).toEqual(['north jyske']);
    expect(await listedIds()).toContain('jyske-bank-dk');
  });

  it('is refused, and changes nothing, when more than half of the known entries are missing', async () => {
    await switchTo('north', many(10));
    const before = await writtenRows();
    expect(await switchTo('north', [...many(4), jyske()])).toEqual({
      kind: 'refused',
      listed: 5,
      known: 10,
      missing: 6,
    });
    expect(await writtenRows()).toEqual(before);
    expect(await switchTo('north', many(5))).toMatchObject({ kind: 'switched', gone: 5 });
    expect(await switchTo('north', [], { acceptLosses: true })).toMatchObject({ gone: 5 });
    expect(await listedIds()).toEqual([]);
  });

  it('leaves routes unchanged that no list has provided', async () => {
    await switchTo('north', many(2));
    await store.ctx.database.prisma.institutionRoute.create({
      data: {
        institutionId: 'number-0-dk',
        provider: 'south',
        remoteId: 'made-by-a-login',
        login: 'form',
        products: [],
      },
    });
    await switchTo('south', [jyske({ remoteId: 'other' })]);
    expect(await routesOf('number-0-dk')).toContain('south made-by-a-login');
    await switchTo('south', [jyske({ remoteId: 'made-by-a-login', name: 'Number 0', bic: null })]);
    expect(await routesOf('number-0-dk')).toContain('south made-by-a-login');
  });

  it('creates each institution once when several lists arrive at the same time', async () => {
    const lists = ['a', 'b', 'c', 'd'].map((provider) => switchTo(provider, [jyske()]));
    await Promise.all(lists);
    expect(await routesOf('jyske-bank-dk')).toEqual(['a jyske', 'b jyske', 'c jyske', 'd jyske']);
    expect(await listedIds()).toEqual(['jyske-bank-dk']);
  });

  it('leaves the old catalog when its process dies before the end, and succeeds when repeated', async () => {
    await switchTo('north', many(3));
    const before = await writtenRows();
    const { pool } = store.ctx.database;
    const holder = await pool.connect();
    try {
      // The switch gets as far as its routes, with entries and institutions already changed.
      await holder.query('BEGIN; LOCK TABLE institution_routes IN SHARE MODE');
      const dying = switchTo('north', [...many(3), jyske()]).then(
        () => 'ended',
        () => 'died',
      );
      await eventually(async () => {
        const { rowCount } = await holder.query(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'institution_routes'::regclass AND NOT granted",
        );
        expect(rowCount).toBe(1);
      });
      expect(await dying).toBe('died');
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await writtenRows()).toEqual(before);
    expect(await switchTo('north', [...many(3), jyske()])).toMatchObject({ added: 1 });
  });

  it('counts entries by provider', async () => {
    await switchTo('north', [jyske({ bic: null }), ...many(3)]);
    await switchTo('south', [listedInstitution({ remoteId: 'x', domain: null })]);
    await switchTo('north', [jyske({ bic: null }), ...many(2)]);
    expect(await catalog.counts()).toEqual([
      { provider: 'north', listed: 3, gone: 1, doubtful: 0 },
      { provider: 'south', listed: 1, gone: 0, doubtful: 1 },
    ]);
  });
});
