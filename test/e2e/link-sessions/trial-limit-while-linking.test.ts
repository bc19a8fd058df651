import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import type { View } from '../../support/actors/response-bodies.js';
import { operate } from '../../support/actors/operator.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';

const LIMIT = 3;
const PAGE = 'https://app.example';

let service: SharedService;
let app: AppBackEnd;

beforeAll(async () => {
  service = await shareService();
  app = new AppBackEnd(service.info.base_url, service.app.live);
  expect(
    await operate(service.dataDir, 'clients', 'limit', service.app.live.client_id, String(LIMIT)),
  ).toEqual({ client_id: service.app.live.client_id, live_limit: LIMIT });
  await operate(service.dataDir, 'apps', 'update', service.app.app_id, '--page-origin', PAGE);
});

const visit = async () => {
  const { link_session_token: token } = await app.createSession();
  // On a busy computer the first attempt may find no worker yet.
  return eventually(() => ConnectVisit.open(app.baseUrl, token, { origin: PAGE }));
};
const session = () =>
  app.call('POST', '/link-session', { body: { customer_user: { id: 'user-1' } } });
const REFUSED: Partial<View['step']> & Record<string, unknown> = {
  kind: 'error',
  error_id: 'connect_error.trial_limit_reached',
  fault: 'service',
  link_error: null,
  actions: ['exit'],
};

describe('A Live client with a trial limit', () => {
  let visits: ConnectVisit[];
  let linked: ConnectVisit[];
  let refused: ConnectVisit[];
  const linkIds: string[] = [];

  it('links as many banks as allowed, however many users try at once', async () => {
    visits = await Promise.all(Array.from({ length: LIMIT + 4 }, visit));
    await Promise.all(visits.map((each) => each.select()));
    linked = visits.filter(({ view }) => view.step.kind === 'success');
    refused = visits.filter(({ view }) => view.step.kind === 'error');
    expect({ linked: linked.length, refused: refused.length }).toEqual({
      linked: LIMIT,
      refused: 4,
    });
    for (const { view } of refused) expect(view.step).toMatchObject(REFUSED);
    for (const each of linked) {
      const { exchangeable_token: token } = await each.finish();
      expect(token).toMatch(/^live_xt_/);
      linkIds.push((await expectStatus(201, app.exchange(token))).link_id);
    }
  });

  it('creates no session beyond the limit', async () => {
    const { status, body } = await session();
    expect({ status, error_code: body.error_code }).toEqual({
      status: 403,
      error_code: 'link_session_error.forbidden_config',
    });
  });

  it('lets a refused user leave and return once a place is free', async () => {
    const [back] = refused;
    if (back === undefined) throw new Error('no user was refused');
    expect((await back.submit({ kind: 'error', action: 'retry' })).status).toBe(422);
    expect((await back.exit()).status).toBe(200);
    await expectStatus(204, app.call('DELETE', `/links/${linkIds[0]}`));
    expect((await session()).status).toBe(201);
    await back.poll();
    expect((await back.select()).step.kind).toBe('success');
    expect((await session()).status).toBe(403);
  });

  it('does not count the links of its Sandbox key pair', async () => {
    const sandbox = new AppBackEnd(service.info.base_url, service.app.sandbox);
    const { link_session_token: token } = await sandbox.createSession();
    const free = await ConnectVisit.open(app.baseUrl, token, { origin: PAGE });
    expect((await free.select()).step.kind).toBe('success');
  });
});
