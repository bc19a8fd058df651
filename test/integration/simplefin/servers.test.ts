import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readCatalog } from '../../../activities/catalog/read-catalog.js';
import { CatalogRepository } from '../../../prisma/sources/catalog/catalog.repository.js';
import { createSimplefinProvider } from '../../../providers/simplefin/simplefin-adapter.js';
import { SIMPLEFIN_SETTINGS } from '../../../providers/simplefin/settings.js';
import { storeOfFile, store } from '../../support/fixtures/linking-store.js';
import { simplefinAt } from '../../support/fixtures/simplefin-server.js';

storeOfFile();

const never = new AbortController().signal;

describe('Several SimpleFIN servers in one service', () => {
  /** Adds a configuration, and synchronizes its institutions. */
  async function add(name: string, given: object) {
    const settings = SIMPLEFIN_SETTINGS.public.parse(given);
    const provider = createSimplefinProvider({
      adapter: 'simplefin',
      name,
      environment: 'live',
      settings,
      secrets: {},
    });
    const { entries } = await readCatalog(provider, { note: () => undefined, signal: never });
    const catalog = new CatalogRepository(store.ctx);
    await catalog.switchTo({ provider: name, environment: 'live', entries, acceptLosses: false });
  }

  const at = (host: string, more: object = {}) => ({
    server: `https://${host}/simplefin`,
    hosts: [host],
    ...more,
  });

  it('are one institution each, with an id of its own, in the countries of its settings', async () => {
    await add('simplefin', {});
    await add(
      'family',
      at('sfin.family.example', { institutionName: 'Family', countries: ['US'] }),
    );
    await add('club', at('sfin.club.example', { countries: ['CA'] }));
    const { prisma } = store.ctx.database;
    const routes = await prisma.institutionRoute.findMany({
      where: { provider: { in: ['simplefin', 'family', 'club'] } },
      include: { institution: true },
      orderBy: [{ provider: 'asc' }, { remoteId: 'asc' }],
    });
    expect(
      routes.map(
        ({ provider, remoteId, institution: { institutionId, name, country, domain } }) => [
          provider,
          remoteId,
          institutionId,
          name,
          country,
          domain,
        ],
      ),
    ).toEqual([
      ['club', 'ca', 'sfin-club-example-ca', 'sfin.club.example', 'CA', 'club.example'],
      ['family', 'us', 'family-us', 'Family', 'US', 'family.example'],
      ['simplefin', 'ca', 'simplefin-bridge-ca', 'SimpleFIN Bridge', 'CA', 'simplefin.org'],
      ['simplefin', 'us', 'simplefin-bridge-us', 'SimpleFIN Bridge', 'US', 'simplefin.org'],
    ]);
  });

  it.each([
    { institutionName: ' ' },
    { institutionName: 'x'.repeat(101) },
    { institutionDomain: 'https://family.example' },
    { institutionDomain: 'localhost' },
    { countries: [] },
    { countries: ['XX'] },
  ])('are refused with the settings %j', (settings) => {
    expect(SIMPLEFIN_SETTINGS.public.safeParse(settings).success).toBe(false);
  });
});

describe('The check of a SimpleFIN server', () => {
  it.each([
    ['answers with an error', 503],
    ['does not let this machine in', 403],
  ])('names it unreachable when it %s', async (_what, status) => {
    const server = createServer((_request, response) => response.writeHead(status).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const report = await simplefinAt(`http://127.0.0.1:${port}`).check(never);
    expect(report).toMatchObject({ ok: false, unreachable: ['*'] });
    server.close();
  });

  it('names it unreachable when nothing listens there', async () => {
    const report = await simplefinAt('http://127.0.0.1:9').check(never);
    expect(report).toMatchObject({ ok: false, unreachable: ['*'] });
  });
});
