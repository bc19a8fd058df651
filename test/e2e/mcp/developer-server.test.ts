import { Tributary } from '../../../clients/node/src/index.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import { WebhookReceiver, type ReceivedWebhook } from '../../support/receivers/webhook-receiver.js';
import { McpServerProcess } from './support/mcp-server.js';

const BANK = 'sandbox-credentials-bank';

let service: SharedService;
let server: McpServerProcess;
beforeAll(async () => {
  service = await shareService();
  server = await McpServerProcess.start('developer', service, service.app.sandbox);
});
afterAll(() => server.close());

describe('The MCP server for developers', () => {
  it('says which of its tools change something, and takes an address in none', async () => {
    const tools = await server.tools();
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name).sort()).toEqual([
      'advance_world',
      'create_fault',
      'create_link',
      'create_world',
      'delete_fault',
      'delete_world',
      'expire_permission',
      'replay_event',
      'run_script',
    ]);
    for (const { inputSchema } of tools) {
      expect(inputSchema).toMatchObject({ additionalProperties: false });
      const names = Object.keys(inputSchema.properties ?? {});
      expect(names.filter((name) => /ur[il]|webhook$|address/i.test(name))).toEqual([]);
    }
  });

  it('makes a world with a link, lets transactions happen and moves its clock', async () => {
    const { world_id } = await server.call('create_world', { start: '2026-03-02T00:00:00' });
    const { link_id, state } = await server.call('create_link', { user_id: 'ann', world_id });
    expect(state).toBe('connected');
    const script = [{ verb: 'post', ref: 'lunch', amount: 12, description: 'Corner Cafe' }];
    expect(await server.call('run_script', { link_id, script })).toMatchObject({
      applied: 1,
      refreshed: true,
    });
    expect(await server.call('advance_world', { world_id, by: 'P1D' })).toMatchObject({
      world: { now: '2026-03-03T00:00:00.000' },
      settled: true,
    });
    expect(await server.call('list_worlds')).toMatchObject({
      worlds: expect.arrayContaining([expect.objectContaining({ world_id })]),
    });
    await server.call('delete_world', { world_id });
    expect(await server.failure('get_link', { link_id })).toContain('Look the id up');
  });

  it('makes a bank fail, and explains the effect on a link', async () => {
    const user = { user_id: 'bob', institution_id: BANK };
    const { link_id } = await server.call('create_link', user);
    const { fault_id } = await server.call('create_fault', {
      institution_id: BANK,
      operation: 'transactions',
      kind: 'no_permission',
      count: null,
    });
    const script = [{ verb: 'post', ref: 'lunch', amount: 12 }];
    await server.call('run_script', { link_id, script });
    expect(await server.call('list_faults', { institution_id: BANK })).toMatchObject({
      faults: [{ fault_id }],
    });
    expect(await server.call('explain_link', { link_id })).toMatchObject({
      works: false,
      explanation: expect.stringContaining('transactions'),
      products: expect.arrayContaining([
        expect.objectContaining({ product: 'transactions', error_code: 'no_permission' }),
      ]),
    });
    await server.call('delete_fault', { fault_id });
    expect(await server.call('list_faults', { institution_id: BANK })).toMatchObject({
      faults: [],
    });
  });

  it('shows an event of a link with its deliveries, and delivers it again', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      // The app gives the link its address; the server cannot.
      const { client_id: clientId, client_secret: clientSecret } = service.app.sandbox;
      const app = new Tributary({ baseUrl: service.info.base_url, clientId, clientSecret });
      const { link_id } = await app.sandbox.createLink({
        customer_user: { id: 'carl' },
        webhook: receiver.url('/hooks?key=canary'),
      });
      await server.call('expire_permission', { link_id, mode: 'now' });
      const isChange = ({ body }: ReceivedWebhook) => body['error'] === 'auth_expired';
      await receiver.until((received) => received.some(isChange));
      const { events } = await server.call<{ events: { event_id: string }[] }>('list_events', {
        link_id,
        webhook_event: 'link.state_changed',
        limit: 1,
      });
      const [{ event_id } = { event_id: '' }] = events;
      await server.call('replay_event', { event_id });
      await receiver.until((received) => received.filter(isChange).length === 2);
      const event = await server.call('get_event', { event_id });
      expect(event).toMatchObject({
        untrusted_body: { state: 'error', error: 'auth_expired' },
        deliveries: [{ reason: 'event' }, { reason: 'replay' }],
      });
      expect(JSON.stringify(event)).not.toContain('canary');
    } finally {
      await receiver.stop();
    }
  });

  it('says what to do about an event that has no address', async () => {
    const { link_id } = await server.call('create_link', { user_id: 'dora' });
    const { events } = await server.call<{ events: { event_id: string }[] }>('list_events', {
      link_id,
    });
    expect(await server.failure('replay_event', { event_id: events[0]?.event_id })).toMatch(
      /address/,
    );
  });
});
