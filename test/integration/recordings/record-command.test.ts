import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runRecord } from '../../../apps/worker/src/recording/run-record.js';
import { storeCredential } from '../../../prisma/sources/permissions/provider-credential.js';
import { ProviderConfigurationRepository } from '../../../prisma/work/providers/provider-configuration.repository.js';
import startSimplefin from '../../support/adapters/simplefin/simulated-vendor.js';
import type { SimulatedVendor } from '../../support/proof/simulated-vendor.js';
import { VENDOR_ORIGIN } from '../../support/proof/simulated-walks.js';
import { openStorage, storeLink, type Storage } from '../../support/fixtures/stored-link.js';
import { readRecordings } from '../../support/proof/kept-recordings.js';

describe('npm run record', () => {
  let storage: Storage;
  let vendor: SimulatedVendor;
  let linkId: string;
  let credential: string;
  let folder: string;
  beforeAll(async () => {
    storage = await openStorage();
    vendor = await startSimplefin();
    const { environment, settings } = vendor.configuration;
    const configurations = new ProviderConfigurationRepository(storage.ctx);
    const added = {
      adapter: 'simplefin',
      settings,
      secrets: {},
      publicKeys: null,
      maxLinks: null,
    };
    await configurations.add({ name: 'bridge', environment, ...added });
    const linked = await vendor.link();
    credential = new TextDecoder().decode(linked.credential);
    const link = await storeLink(storage, { provider: 'bridge' });
    linkId = link.linkId;
    const { ctx } = storage;
    await ctx.database.prisma.institutionRoute.create({
      data: {
        institutionId: 'test-bank',
        provider: 'bridge',
        remoteId: vendor.remoteId,
        login: 'form',
        products: ['accounts', 'transactions'],
      },
    });
    await ctx.database.transaction((tx) =>
      storeCredential(ctx, tx, link, { provider: 'bridge', ...linked }),
    );
  });
  afterAll(async () => {
    await vendor.close();
    await storage.close();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-recordings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function record(args: readonly string[], nameOrigin?: () => string) {
    const printed = { out: '', err: '' };
    const status = await runRecord({
      args: [...args, '--folder', folder],
      env: {
        DATABASE_URL: storage.url,
        MASTER_KEYS: `test:${storage.masterKey.toString('base64')}`,
      },
      out: (text) => (printed.out += text),
      err: (text) => (printed.err += text),
      ...(nameOrigin === undefined ? {} : { nameOrigin }),
    });
    return { status, ...printed };
  }

  it('writes a recording of a link, which the tests then replay', async () => {
    const { status, out, err } = await record(['bridge', '--link', linkId], () => VENDOR_ORIGIN);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(
      /^Recorded \d+ answers of https:\/\/sandbox\.vendor\.example: 1 institutions, 9 accounts, \d+ transactions\./,
    );
    const [file = ''] = readdirSync(folder);
    expect(file).toMatch(/^\d{4}-\d{2}-\d{2}\.json$/);
    expect([...readRecordings('simplefin', folder).keys()]).toEqual([file]);
    const { username, password } = new URL(credential);
    const text = readFileSync(join(folder, file), 'utf8');
    for (const secret of [username, password, linkId]) expect(text).not.toContain(secret);
  });

  it('writes nothing for a source on this machine', async () => {
    const { status, err } = await record(['bridge', '--link', linkId]);
    expect(status).toBe(1);
    expect(err).toMatch(/^Nothing was written:\norigin: http:\/\/127\.0\.0\.1:\d+ is not https/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports which configuration or link it cannot record', async () => {
    expect(await record(['other'])).toMatchObject({
      status: 1,
      err: 'There is no configuration "other": providers list shows them.\n',
    });
    expect(await record(['bridge', '--link', 'link_none'])).toMatchObject({
      status: 1,
      err: 'There is no link "link_none", or it has no permission.\n',
    });
    const elsewhere = await storeLink(storage);
    const { ctx } = storage;
    const permission = { provider: 'sandbox', reference: 'p1', credential: Buffer.from('unused') };
    await ctx.database.transaction((tx) => storeCredential(ctx, tx, elsewhere, permission));
    expect(await record(['bridge', '--link', elsewhere.linkId])).toMatchObject({
      status: 1,
      err: 'The link is served by "sandbox", not by "bridge".\n',
    });
  });
});
