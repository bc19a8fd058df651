import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BYTE_ORDER_MARK } from '../../../domain/exports/export-format.js';
import { ConnectVisit } from '../../support/actors/link-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { service, app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { DeveloperCli } from '../../support/actors/developer-cli.js';

serviceOfFile();

let cli: DeveloperCli;
let linkId: string;
beforeAll(async () => {
  cli = new DeveloperCli(service.info.base_url, service.app.sandbox);
  ({ link_id: linkId } = await cli.json<{ link_id: string }>(
    'trigger',
    'transactions.updates_available',
  ));
});

describe('The commands for the Sandbox', () => {
  it('cause events, and show them', async () => {
    const events = await cli.json<{ event_id: string; webhook_event: string }[]>(
      ...['events', 'list', '--link', linkId],
    );
    expect(events[0]?.webhook_event).toBe('transactions.updates_available');
    const { stdout } = await cli.run(['events', 'get', events[0]?.event_id ?? '']);
    expect(stdout).toContain('no_address');
  });

  it('let transactions happen by a script', async () => {
    const file = join(cli.folder, 'script.json');
    writeFileSync(file, JSON.stringify([{ verb: 'post', ref: 'lunch', amount: 12 }]));
    expect(await cli.json('script', linkId, file)).toMatchObject({
      applied: 1,
      rows: [{ ref: 'lunch', status: 'posted' }],
    });
  });

  it('create, list and end faults', async () => {
    const bank = 'sandbox-credentials-bank';
    const { fault_id: id } = await cli.json<{ fault_id: string }>(
      'fault',
      'create',
      bank,
      'timeout',
      '--operation',
      'identity',
      '--always',
    );
    const { stdout } = await cli.run(['fault', 'list', bank]);
    expect(stdout).toContain(`${id}  default   identity   timeout  always`);
    await cli.json('fault', 'delete', id);
    expect((await cli.run(['fault', 'list', bank])).stdout).toBe('(none)\n');
  });

  it('create a world, move its clock and delete it', async () => {
    const { world_id: id } = await cli.json<{ world_id: string }>(
      'worlds',
      'create',
      '--name',
      'march',
      '--start',
      '2026-03-02T00:00:00',
    );
    expect(await cli.json('worlds', 'advance', id, 'P1D')).toMatchObject({
      world: { now: '2026-03-03T00:00:00.000' },
    });
    expect((await cli.run(['worlds', 'list'])).stdout).toContain('march');
    await cli.json('worlds', 'delete', id, '--yes');
    expect((await cli.run(['worlds', 'get', id])).status).toBe(4);
  });
});

describe('The commands for links', () => {
  it('list, show, refresh and delete them', async () => {
    const { link_id: other } = await cli.json<{ link_id: string }>(
      'trigger',
      'link.product_refresh',
    );
    expect((await cli.run(['links', 'list'])).stdout).toContain(other);
    expect((await cli.run(['links', 'get', other])).stdout).toMatch(/accounts +2\d{3}-/);
    await cli.json('links', 'refresh', other, '--products', 'accounts');
    expect(await cli.json('links', 'delete', other, '--yes')).toMatchObject({ state: 'deleted' });
    expect((await cli.run(['links', 'list', '--state', 'connected'])).stdout).not.toContain(other);
    const [newest] = await cli.json<{ link_id: string }[]>(
      ...['links', 'list', '--order', 'desc', '--include', 'deleted,never_connected'],
    );
    expect(newest?.link_id).toBe(other);
  });

  it('keep a copy of transactions in a file', async () => {
    const file = join(cli.folder, 'copy.json');
    const first = await cli.json<{ created: number; transactions: number }>('sync', linkId, file);
    expect(first.transactions).toBe(first.created);
    expect(first.created).toBeGreaterThan(0);
    await cli.json('trigger', 'transactions.updates_available', '--link', linkId);
    expect(await cli.json('sync', linkId, file)).toMatchObject({ created: 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('list holdings with their securities, their movements, and debts', async () => {
    const { link_id: rich } = await sandbox.link({
      customer_user: { id: 'user-1' },
      settings: { products: ['accounts', 'investments', 'liabilities'] },
    });
    const held = await cli.json<{ security: { name: string }; quantity: string }[]>(
      ...['holdings', 'list', rich],
    );
    expect(held[0]).toMatchObject({
      quantity: expect.any(String),
      security: { name: expect.any(String) },
    });
    const { stdout } = await cli.run(['holdings', 'list', rich, '--limit', '1']);
    expect(stdout).toMatch(/^holding_id .+ cost_basis .+\n(hld_)\w+ .+\n$/);
    const [moved] = await cli.json<object[]>('investment-transactions', 'list', rich);
    expect(moved).toMatchObject({ investment_transaction_id: expect.stringMatching(/^itx_/) });
    expect((await cli.run(['liabilities', 'list', rich])).stdout).toMatch(
      /^acc_\w+ +mortgage +\d+(\.\d+)? +USD +6\.75 /m,
    );
  });

  it('change holdings and debts by scripts, and export each as a table of its own', async () => {
    const { link_id: rich } = await sandbox.link({
      customer_user: { id: 'user-2' },
      settings: { products: ['accounts', 'investments', 'liabilities'] },
    });
    const [owed] = await cli.json<{ account_id: string }[]>('liabilities', 'list', rich);
    const run = (noun: string, step: object) => {
      const file = join(cli.folder, `${noun}.json`);
      writeFileSync(file, JSON.stringify([{ verb: 'set', ...step }]));
      return cli.json(noun, 'script', rich, file);
    };
    const done = { link_id: rich, applied: 1, refreshed: true };
    const [held] = (
      await cli.json<{ holding_id: string; currency: string }[]>('holdings', 'list', rich)
    ).filter(({ currency }) => currency === 'USD');
    expect(await run('holdings', { holding_id: held?.holding_id, price: '212.4321' })).toEqual(
      done,
    );
    expect(
      await run('liabilities', { account_id: owed?.account_id, minimum_payment: '4321.09' }),
    ).toEqual(done);
    const csv = async (table: string) =>
      (await cli.run(['export', 'link', rich, '--format', 'csv', '--data', table])).stdout;
    expect(await csv('holdings')).toMatch(/^link_id,.*\bholding_id,[^]*,212\.4321,/);
    expect(await csv('liabilities')).toMatch(/^link_id,.*\bminimum_payment,[^]*4321\.09/);
    expect(await csv('investment_transactions')).toMatch(/^link_id,.*\binvestment_transaction_id,/);
    expect(await csv('transactions')).toMatch(/^link_id,.*\btransaction_id,/);
  });

  it('export everything to a file that only its owner can read', async () => {
    const file = join(cli.folder, 'link.csv');
    await cli.json('export', 'link', linkId, '--format', 'csv', '--out', file);
    expect(readFileSync(file, 'utf8')).toContain(linkId);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await cli.run(['export', 'link', linkId])).stdout).toContain(linkId);
  });

  it('export CSV with a byte order mark for Excel, and refuse the mark in other formats', async () => {
    const file = join(cli.folder, 'excel.csv');
    await cli.json('export', 'link', linkId, '--format', 'csv', '--bom', '--out', file);
    expect(readFileSync(file).subarray(0, 10)).toEqual(Buffer.from(`${BYTE_ORDER_MARK}link_id`));
    const refused = await cli.run(['export', 'link', linkId, '--bom']);
    expect(refused.stderr).toContain('Only csv has a byte order mark.');
  });

  it('create a link at a hosted page, shown as address and QR code, wait for the person, and list the session', async () => {
    const running = cli.startAtTerminal(['links', 'create', '--hosted', '--user', 'user-4711']);
    await running.until('Waiting for the user');
    expect(running.stdout).toContain('▄');
    const [address = ''] =
      /https?:\/\/\S+#\S+|https?:\/\/\S+\/connect\S+/.exec(running.stdout) ?? [];
    const token = /sandbox_ls_[\w-]+/.exec(address)?.[0] ?? '';
    const visit = await ConnectVisit.open(service.info.base_url, token, {
      origin: new URL(address).origin,
    });
    await visit.submit({ kind: 'select_institution', institution_id: 'sandbox-instant-bank' });
    await visit.finish();
    expect(await running.ended).toBe(0);
    expect(running.stdout).toMatch(/The bank is linked: mk_/);
    const session = await cli.json<{ outcome: string; customer_user: { id: string } }>(
      ...['sessions', 'list', '--user', 'user-4711'],
    );
    expect(session).toMatchObject({ outcome: 'linked', customer_user: { id: 'user-4711' } });
  });
});

describe('The commands for webhooks', () => {
  it('verify one, and send it again', async () => {
    const receiver = await WebhookReceiver.start();
    await app.call('PATCH', `/links/${linkId}`, { body: { webhook: receiver.url() } });
    await cli.json('trigger', 'link.permission_expiring', '--link', linkId);
    const [received] = await receiver.until(1);
    const file = join(cli.folder, 'body');
    writeFileSync(file, received?.rawBody ?? '');
    const signature = String(received?.headers['service-signature']);
    expect((await cli.run(['webhook', 'verify', file, '--signature', signature])).stdout).toBe(
      'The signature is valid: link.permission_expiring.\n',
    );
    const [event] = await eventually(() =>
      cli.json<{ event_id: string }[]>('events', 'list', '--link', linkId),
    );
    await cli.json('replay', event?.event_id ?? '');
    await receiver.until(2);
    await receiver.stop();
    expect(await cli.json('replay', '--since', '1h', '--dry-run')).toMatchObject({ dry_run: true });
  });

  it('show the keys and the institutions', async () => {
    expect(await cli.json('keys')).toMatchObject({ keys: [{ alg: 'ES256' }] });
    expect((await cli.run(['institutions', 'list', '--name', 'instant'])).stdout).toContain(
      'sandbox-instant-bank',
    );
    expect(await cli.json('institutions', 'get', 'sandbox-instant-bank')).toMatchObject({
      country: 'US',
    });
  });

  it('examine the service in words', async () => {
    const { status, stdout } = await cli.run(['doctor']);
    expect(stdout).toMatch(/ok +Service: It is ready\./);
    expect(stdout).toMatch(/ok +Key pair: sandbox_\w+ is of App of a file/);
    expect(stdout).toMatch(/Webhooks: /);
    expect([0, 1]).toContain(status);
  });
});
