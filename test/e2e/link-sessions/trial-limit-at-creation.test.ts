import { errorOf, type ErrorBody } from '../../support/services/api-client.js';
import {
  BANK,
  clientId,
  openSession,
  startApiInProcess,
  type ApiInProcess,
  type AppId,
} from '../../support/services/api-in-process.js';

const forbidden = { status: 403, code: 'link_session_error.forbidden_config', locations: [] };
const user = { customer_user: { id: 'u' } };

let service: ApiInProcess;

afterAll(async () => {
  await service?.close();
});

describe('A Live key pair with sandbox banks in Live', () => {
  let live: string;

  beforeAll(async () => {
    service = await startApiInProcess({ SANDBOX_BANKS_IN_LIVE: 'on' });
    live = await service.token('pocket-ledger', 'live');
    await service.database.prisma.application.updateMany({
      data: { pageOrigins: ['https://app.example'] },
    });
  });

  const limit = (app: AppId, liveLimit: number) =>
    service.database.prisma.apiClient.update({
      where: { clientId: clientId(app, 'live') },
      data: { liveLimit },
    });
  const create = async (token: string, fields: Record<string, unknown> = {}) =>
    service.api.as(token).post('/link-session', { json: { ...user, ...fields } });

  it('creates sessions that offer them beside the Live banks, under the rules of Live', async () => {
    const { connectToken } = await openSession(service, live);
    const { body } = await service.api.as(connectToken).get('/connect/api/institutions?q=');
    expect(
      (body as { institutions: { institution_id: string }[] }).institutions
        .map(({ institution_id: id }) => id)
        .sort(),
    ).toEqual(['live-bank', BANK]);
    expect((await create(live, { institution_id: BANK })).status).toBe(201);
    expect(errorOf(await create(live, { webhook: 'http://app.example/hook' }))).toMatchObject({
      status: 422,
    });
    expect(errorOf(await create(live, { redirect_uri: 'https://app.example/return' }))).toEqual(
      forbidden,
    );
  });

  it('creates no session beyond the trial limit, and the message explains it', async () => {
    await limit('pocket-ledger', 0);
    const refused = await create(live);
    expect(errorOf(refused)).toEqual(forbidden);
    expect((refused.body as ErrorBody).error_message).toContain('trial limit');
    expect((await create(await service.token('rival', 'live'))).status).toBe(201);
    expect((await create(await service.token('pocket-ledger'))).status).toBe(201);
    await limit('pocket-ledger', 10);
  });

  it('receives errors of shape, link and redirect_uri before the trial limit is checked', async () => {
    await limit('pocket-ledger', 0);
    expect(errorOf(await create(live, { webhook: 'x' }))).toMatchObject({ status: 422 });
    expect(errorOf(await create(live, { existing_link_id: 'mk_nobody' }))).toMatchObject({
      status: 404,
    });
    await limit('pocket-ledger', 10);
  });

  it('has a trial limit of its own, separate from that of its app', async () => {
    const { sessionId } = await openSession(service, live);
    const row = await service.database.prisma.linkSession.findUniqueOrThrow({
      where: { sessionId },
    });
    expect(row.clientId).toBe(clientId('pocket-ledger', 'live'));
  });
});
