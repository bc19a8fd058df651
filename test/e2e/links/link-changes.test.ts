import { errorOf, type ApiResponse, type ApiRequest } from '../../support/services/api-client.js';
import { connectedLink, forceLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

const HOOK = 'https://app.example/hooks/bank';

apiOfFile({ SANDBOX_BANKS_IN_LIVE: 'on' });

interface LinkBody {
  state: string;
  error_code: string | null;
  error_message: string | null;
  webhook: string | null;
  webhook_disabled_at: string | null;
  tags: string[];
  link_tags: string[];
}

const send = (method: string, path: string, request: ApiRequest = {}) =>
  service.api.as(token).send(method, path, request);
const patch = (linkId: string, json: unknown) => send('PATCH', `/links/${linkId}`, { json });
const reset = (linkId: string) => send('POST', `/links/${linkId}/reset`);
const bodyOf = ({ body }: ApiResponse) => body as LinkBody;
const shown = async (linkId: string) => bodyOf(await send('GET', `/links/${linkId}`));

/** The states that the app was notified of, in order, and the address of each notification. */
async function announced(linkId: string): Promise<string[]> {
  const events = await service.database.prisma.webhookEvent.findMany({
    where: { linkId, webhookEvent: 'link.state_changed' },
    include: { deliveries: true },
    orderBy: { pk: 'asc' },
  });
  return events.map(({ body, deliveries }) => {
    const {
      state,
      error,
      link_tags: tags,
    } = JSON.parse(body) as { state: string; error: string | null; link_tags: string[] };
    return [
      error === null ? state : `${state}/${error}`,
      deliveries[0]?.url ?? 'nowhere',
      ...tags,
    ].join(' ');
  });
}

// link-states.test.ts has the states in which these calls work.
describe('PATCH /links/{id}', () => {
  it('changes the given fields, keeps the others and returns the link', async () => {
    const linkId = await connectedLink(service, token, { webhook: HOOK, tags: ['tier:gold'] });
    const response = await patch(linkId, { tags: ['tier:silver', 'tier:silver', 'eu'] });
    expect(response.status).toBe(200);
    expect(bodyOf(response)).toMatchObject({
      link_id: linkId,
      state: 'connected',
      webhook: HOOK,
      tags: ['tier:silver', 'eu'],
      link_tags: ['tier:silver', 'eu'],
    });
    expect(bodyOf(await patch(linkId, { webhook: 'https://app.example/other' }))).toMatchObject({
      webhook: 'https://app.example/other',
      tags: ['tier:silver', 'eu'],
    });
    expect(bodyOf(await patch(linkId, {}))).toMatchObject({
      webhook: 'https://app.example/other',
      tags: ['tier:silver', 'eu'],
    });
    expect(bodyOf(await patch(linkId, { webhook: null, tags: [] }))).toMatchObject({
      webhook: null,
      tags: [],
    });
    expect(await shown(linkId)).toMatchObject({ webhook: null, tags: [] });
  });

  it('accepts the alias of tags, alone or with the same value', async () => {
    const linkId = await connectedLink(service, token);
    expect(bodyOf(await patch(linkId, { link_tags: ['a'] })).tags).toEqual(['a']);
    expect(bodyOf(await patch(linkId, { tags: ['b'], link_tags: ['b'] })).tags).toEqual(['b']);
  });

  it('re-enables the webhook address that it sets, even if it is the same one', async () => {
    const linkId = await connectedLink(service, token, { webhook: HOOK });
    const disable = () =>
      service.database.prisma.link.update({
        where: { linkId },
        data: { webhookDisabledAt: new Date() },
      });
    await disable();
    expect(bodyOf(await patch(linkId, { tags: ['a'] })).webhook_disabled_at).not.toBeNull();
    expect(bodyOf(await patch(linkId, { webhook: HOOK })).webhook_disabled_at).toBeNull();
    await disable();
    expect(bodyOf(await patch(linkId, { webhook: null }))).toMatchObject({
      webhook: null,
      webhook_disabled_at: null,
    });
  });

  it('sends no webhook itself, but later events use the new address and the new tags', async () => {
    const linkId = await connectedLink(service, token, { webhook: HOOK, tags: ['old'] });
    const before = await announced(linkId);
    await patch(linkId, { webhook: 'https://app.example/new', tags: ['new'] });
    expect(await announced(linkId)).toEqual(before);
    await reset(linkId);
    expect((await announced(linkId)).at(-1)).toBe('error/auth_expired https://app.example/new new');
  });

  it('invalidates the entity tag of sync pages, which contain the link', async () => {
    const linkId = await connectedLink(service, token);
    const page = (headers: Record<string, string> = {}) =>
      send('GET', `/links/${linkId}/transactions/sync`, { headers });
    const tag = (await page()).headers.get('etag') ?? '';
    expect((await page({ 'if-none-match': tag })).status).toBe(304);
    await patch(linkId, { tags: ['changed'] });
    expect((await page({ 'if-none-match': tag })).status).toBe(200);
  });

  it('cannot restore a link that is deleted at the same moment', async () => {
    const linkId = await connectedLink(service, token);
    const [deleted, ...changes] = await Promise.all([
      send('DELETE', `/links/${linkId}`),
      ...Array.from({ length: 8 }, (_, index) => patch(linkId, { tags: [`t${index}`] })),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of changes) expect([200, 410]).toContain(status);
    expect(await shown(linkId)).toMatchObject({ state: 'deleted' });
  });
});

describe('POST /links/{id}/reset', () => {
  it('moves a connected link to auth_expired at once, announces it once and keeps its data readable', async () => {
    const linkId = await connectedLink(service, token, { webhook: HOOK });
    const response = await reset(linkId);
    expect({ status: response.status, body: bodyOf(response) }).toEqual({
      status: 200,
      body: expect.objectContaining({
        state: 'error',
        error_code: 'auth_expired',
        error_message: expect.any(String),
      }),
    });
    expect(bodyOf(await reset(linkId))).toMatchObject({
      state: 'error',
      error_code: 'auth_expired',
    });
    expect(
      (await announced(linkId)).filter((event) => event.startsWith('error/auth_expired')),
    ).toHaveLength(1);
    expect(
      ((await send('GET', `/links/${linkId}/accounts`)).body as { accounts: unknown[] }).accounts,
    ).toHaveLength(2);
  });

  it('replaces another error', async () => {
    const linkId = await connectedLink(service, token);
    await forceLink(service, linkId, { state: 'error', errorCode: 'institution_error' });
    expect(bodyOf(await reset(linkId))).toMatchObject({
      state: 'error',
      error_code: 'auth_expired',
    });
    expect((await announced(linkId)).at(-1)).toMatch(/^error\/auth_expired/);
  });

  it('is refused for Live links in any state', async () => {
    const live = await service.token('pocket-ledger', 'live');
    const linkId = await connectedLink(service, token);
    await service.database.prisma.link.update({ where: { linkId }, data: { environment: 'live' } });
    const refused = async () => errorOf(await service.api.as(live).post(`/links/${linkId}/reset`));
    expect(await refused()).toEqual({
      status: 403,
      code: 'link_error.forbidden_action',
      locations: [],
    });
    await forceLink(service, linkId, { state: 'connecting', connectedAt: null });
    expect(await refused()).toMatchObject({ status: 403 });
    await service.api.as(live).delete(`/links/${linkId}`);
    expect(await refused()).toMatchObject({ status: 410 });
    expect(errorOf(await reset(linkId))).toMatchObject({
      status: 401,
      code: 'link_error.unauthorized_access',
    });
  });

  it('takes effect once when it is requested many times at once', async () => {
    const linkId = await connectedLink(service, token, { webhook: HOOK });
    const responses = await Promise.all(Array.from({ length: 8 }, () => reset(linkId)));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await announced(linkId)).filter((event) => event.startsWith('error/'))).toHaveLength(1);
  });
});
