import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../../apps/worker/src/temporal/bundle-workflows.js';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank, type LinkedBank } from '../../support/actors/link-instant-bank.js';
import { operate } from '../../support/actors/operator.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

let service: SharedService;
let receiver: WebhookReceiver;
let linked: LinkedBank;

beforeAll(async () => {
  service = await shareService();
  receiver = await WebhookReceiver.start({ verify: service.info.base_url });
  const app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  // These are refused, so that the deliveries become workflows.
  receiver.respondWith({ status: 500 });
  linked = await linkInstantBank(app, { webhook: receiver.url() });
  await app.untilRefreshed(linked.linkId, 'transactions');
  await receiver.until(6);
});

afterAll(() => receiver?.stop());

interface ShownLink {
  state: string;
  products: { product: string; state: string }[];
  workflow_ids: string[];
  events: { webhook_event: string; status: string }[];
}

describe('The operator commands', () => {
  it('show a link with its products, workflows and last events', async () => {
    const shown = await operate<ShownLink>(service.dataDir, 'links', 'show', linked.linkId);
    expect(shown).toMatchObject({
      state: 'connected',
      products: [
        { product: 'accounts', state: 'completed' },
        { product: 'transactions', state: 'completed' },
      ],
    });
    expect(shown.workflow_ids).toEqual(
      expect.arrayContaining([
        `link-session/${linked.visit.view.session_id}`,
        `product-refresh/${linked.linkId}`,
      ]),
    );
    expect(shown.events.map(({ webhook_event }) => webhook_event).reverse()).toEqual([
      'link.state_changed',
      'link.state_changed',
      'link.state_changed',
      'link.product_refresh',
      'link.product_refresh',
      'transactions.updates_available',
    ]);
  });

  it('name the workflow that created a link without a user', async () => {
    const sandbox = new SandboxCaller(new AppBackEnd(service.info.base_url, service.app.sandbox));
    const { link_id: linkId } = await sandbox.link();
    const { workflow_ids: ids } = await operate<ShownLink>(
      service.dataDir,
      'links',
      'show',
      linkId,
    );
    const made = ids.filter((id) => !id.startsWith('product-refresh/'));
    expect(made).toEqual([expect.stringMatching(/^sandbox-control\/ses_/)]);
    await operate(
      service.dataDir,
      'histories',
      'save',
      made[0] ?? '',
      '--to',
      join(service.dataDir, 'sandbox-link.json'),
    );
  });

  it('name the workflow that repairs a link before its session is opened', async () => {
    const app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    const { link_id: linkId } = await new SandboxCaller(app).link();
    await app.createSession({ existing_link_id: linkId });
    const { workflow_ids: ids } = await operate<ShownLink>(
      service.dataDir,
      'links',
      'show',
      linkId,
    );
    expect(ids.map((id) => id.split('/')[0])).toEqual([
      'sandbox-control',
      'reauthentication',
      'product-refresh',
    ]);
  });

  it('save the history of every workflow of a link in a readable and replayable form', async () => {
    const ids = await eventually(async () => {
      const { workflow_ids: known } = await operate<ShownLink>(
        service.dataDir,
        'links',
        'show',
        linked.linkId,
      );
      expect(new Set(known.map((id) => id.split('/')[0]))).toEqual(
        new Set(['link-session', 'product-refresh', 'webhook-delivery']),
      );
      return known.slice(0, 3);
    });
    Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
    const bundle = await workflowBundle();
    for (const [index, id] of ids.entries()) {
      const file = join(service.dataDir, `history-${index}.json`);
      const saved = await eventually(() =>
        operate<{ workflow_id: string; events: number }>(
          service.dataDir,
          'histories',
          'save',
          id,
          '--to',
          file,
        ),
      );
      const text = readFileSync(file, 'utf8');
      expect(saved).toMatchObject({
        workflow_id: id,
        events: (JSON.parse(text) as { events: unknown[] }).events.length,
      });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(text).not.toContain(Buffer.from('binary/encrypted').toString('base64'));
      await Worker.runReplayHistory({ workflowBundle: bundle }, JSON.parse(text));
    }
  });

  it('write no history into a file that exists or that a link leads to', async () => {
    const { workflow_ids: ids } = await operate<ShownLink>(
      service.dataDir,
      'links',
      'show',
      linked.linkId,
    );
    const file = join(service.dataDir, 'kept.txt');
    writeFileSync(file, 'kept');
    symlinkSync(file, join(service.dataDir, 'link.json'));
    for (const name of ['kept.txt', 'link.json'])
      await expect(
        operate(
          service.dataDir,
          'histories',
          'save',
          ids[0] ?? '',
          '--to',
          join(service.dataDir, name),
        ),
      ).rejects.toThrow('EEXIST');
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('report a workflow that does not exist', async () => {
    await expect(
      operate(
        service.dataDir,
        'histories',
        'save',
        'link-session/ses_none',
        '--to',
        join(service.dataDir, 'none.json'),
      ),
    ).rejects.toThrow('There is no workflow link-session/ses_none.');
  });
});
