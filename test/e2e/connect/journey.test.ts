import { eventually } from '../../support/assertions/eventually.js';
import {
  AppBackEnd,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
} from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import type { LinkBody } from '../../support/actors/response-bodies.js';
import { service, app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import type { StandaloneApp } from '../../support/services/standalone.js';
import { describeEvent } from '../../support/assertions/stored-truth.js';
import { operate } from '../../support/actors/operator.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

const PREFETCHED_STORY = [
  'state connecting',
  'state awaiting_token_exchange',
  'state connected',
  'accounts completed',
  'transactions completed',
  'transactions.updates_available has_history=false',
];

serviceOfFile();

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start({ verify: service.info.base_url });
});

afterAll(() => receiver?.stop());

/** All deliveries of a link, once this many have arrived. */
async function delivered(linkId: string, count: number) {
  const ofLink = () => receiver.received.filter(({ body }) => body.link_id === linkId);
  await receiver.until(() => ofLink().length >= count);
  return ofLink();
}

describe('A link at Instant Bank (link-lifecycle 15, checks 1 and 2)', () => {
  it('is connected after five steps, and its webhooks arrive verified and complete', async () => {
    const linked = await linkInstantBank(app, {
      webhook: receiver.url(),
      tags: ['tier:gold', 'tier:gold'],
      customer_user: { id: 'robin' },
    });
    expect(linked.session.link_session_token).toMatch(/^sandbox_ls_[\w-]+$/);
    expect(linked.visit.view).toMatchObject({
      mode: 'link',
      environment: 'sandbox',
      institution: { institution_id: INSTANT_BANK, login: 'none' },
      step: { kind: 'success' },
    });
    expect(linked.result).toMatchObject({
      mode: 'link',
      expires_in: 1800,
      institution: { institution_id: INSTANT_BANK },
      accounts: [
        { account_type: 'depository.checking', account_mask: '1101' },
        { account_type: 'depository.savings', account_mask: '2202' },
      ],
    });
    expect(linked.result.exchangeable_token).toMatch(/^sandbox_xt_[\w-]+$/);
    expect(linked.exchanged).toMatchObject({
      link_id: expect.stringMatching(/^mk_[2-9A-HJ-NP-Za-km-z]{22}$/),
      link: {
        state: 'connected',
        tags: ['tier:gold'],
        link_tags: ['tier:gold'],
        institution_id: INSTANT_BANK,
        provider: 'sandbox',
        error_code: null,
      },
      customer_user: { id: 'robin' },
    });

    await app.untilRefreshed(linked.linkId, 'transactions');
    const received = await delivered(linked.linkId, PREFETCHED_STORY.length);
    expect(received.filter(({ refused }) => refused !== null)).toEqual([]);
    expect(await truth.story(linked.linkId)).toEqual(PREFETCHED_STORY);
    expect(received.map(({ body }) => describeEvent(body)).sort()).toEqual(
      [...PREFETCHED_STORY].sort(),
    );
    expect(new Set(received.map(({ body }) => body.webhook_idempotency_key)).size).toBe(
      PREFETCHED_STORY.length,
    );
    for (const { body, headers } of received) {
      expect(body).toMatchObject({
        webhook_major_version: 1,
        webhook_minor_version: 0,
        link_id: linked.linkId,
        link_tags: ['tier:gold'],
      });
      expect(body.webhook_timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
      expect(headers).toMatchObject({
        'service-delivery-attempt': '1',
        'service-delivery-token': expect.stringMatching(/^whd_/),
        'user-agent': 'service-webhooks/1',
      });
    }
    const stamps = (await truth.events(linked.linkId)).map(
      ({ body }) => (JSON.parse(body) as { webhook_timestamp: string }).webhook_timestamp,
    );
    expect(stamps).toEqual([...stamps].sort());
  });

  it('records the same events without a webhook address, and sends nothing', async () => {
    const { linkId, exchanged } = await linkInstantBank(app);
    expect(exchanged.link).toMatchObject({ webhook: null, tags: [] });
    await app.untilRefreshed(linkId, 'transactions');
    const events = await truth.events(linkId);
    expect(
      events.map(({ body }) => describeEvent(JSON.parse(body) as Record<string, unknown>)),
    ).toEqual(PREFETCHED_STORY);
    expect(events.flatMap(({ deliveries }) => deliveries.map(({ status }) => status))).toEqual(
      PREFETCHED_STORY.map(() => 'no_address'),
    );
  });

  it('fetches the full history when the app requests it', async () => {
    const { linkId } = await linkInstantBank(app, {
      products_settings: { transactions: { prefetch: true, extend_history: true } },
    });
    await app.untilHistory(linkId);
    // link-lifecycle 6.4: the recent part is announced first.
    expect((await truth.story(linkId)).slice(-4)).toEqual([
      'transactions completed',
      'transactions.updates_available has_history=false',
      'transactions completed',
      'transactions.updates_available has_history=true',
    ]);
    const { total } = await app.get<{ total: number }>(
      `/links/${linkId}/transactions?start_date=1900-01-01`,
    );
    // 730 days, two of three with a transaction.
    expect([486, 487]).toContain(total);
  });

  it('is refreshed on request, and the refresh is announced even when nothing changed', async () => {
    const { linkId } = await linkInstantBank(app);
    const before = await app.untilRefreshed(linkId, 'transactions');
    const asked = await expectStatus(
      202,
      app.call<LinkBody>('POST', `/links/${linkId}/products`, {
        body: { products: ['transactions', 'accounts'] },
      }),
    );
    expect(asked.link_id).toBe(linkId);
    await eventually(async () => {
      expect((await truth.story(linkId)).length).toBe(PREFETCHED_STORY.length + 3);
    });
    expect((await truth.story(linkId)).slice(PREFETCHED_STORY.length)).toEqual([
      'accounts completed',
      'transactions completed',
      'transactions.updates_available has_history=false',
    ]);
    const after = await app.link(linkId);
    for (const product of ['accounts', 'transactions'])
      expect(
        String(after.products[product]?.refreshed_at) >
          String(before.products[product]?.refreshed_at),
      ).toBe(true);
    expect(after.products['transactions']?.last_attempted_at).not.toBe(
      before.products['transactions']?.last_attempted_at,
    );
  });

  it('does not fetch a product that is not prefetched', async () => {
    const { linkId } = await linkInstantBank(app, {
      webhook: receiver.url(),
      products_settings: { transactions: { required: true, prefetch: false } },
    });
    await delivered(linkId, 4);
    expect(await truth.story(linkId)).toEqual(PREFETCHED_STORY.slice(0, 4));
    const link = await app.link(linkId);
    expect(link.products['transactions']).toMatchObject({
      refreshed_at: null,
      last_attempted_at: null,
      has_history: false,
    });
    expect(await app.get(`/links/${linkId}/transactions`)).toMatchObject({
      total: 0,
      transactions: [],
      accounts: [],
    });
    expect(await app.get(`/links/${linkId}/transactions/sync`)).toMatchObject({
      transactions: { created: [], updated: [], removed: [] },
      has_more: false,
    });
    expect((await app.link(linkId)).products['transactions']).toMatchObject({
      last_attempted_at: null,
    });
  });

  it('shows no search screen when the session names the bank', async () => {
    const { visit } = await linkInstantBank(app, { institution_id: INSTANT_BANK });
    const kinds = await truth.rows<{ taken: number; seq: number }>(
      'SELECT steps_taken AS taken, seq FROM link_sessions WHERE session_id = $1',
      [visit.view.session_id],
    );
    expect(kinds).toEqual([{ taken: 0, seq: visit.view.seq }]);
    expect(visit.view.step.kind).toBe('success');
  });

  it('continues after the user left and returned', async () => {
    const { link_session_token: token } = await app.createSession();
    const left = await ConnectVisit.open(app.baseUrl, token);
    expect((await left.exit()).body).toEqual({ closed: true });
    const back = await ConnectVisit.open(app.baseUrl, token);
    expect(back.view.step.kind).toBe('select_institution');
    expect(back.view.seq).toBeGreaterThan(left.view.seq);
    expect((await back.select()).step.kind).toBe('success');
    expect((await app.exchange((await back.finish()).exchangeable_token)).status).toBe(201);
  });

  it('is listed for its app', async () => {
    const { linkId } = await linkInstantBank(app);
    const { links, next_cursor } = await app.get<{
      links: { link_id: string }[];
      next_cursor: string;
    }>('/links');
    expect(links.at(-1)).toEqual(await app.link(linkId));
    expect(next_cursor).toBe('');
    const first = await app.get<{ links: unknown[]; next_cursor: string }>('/links?limit=1');
    expect(first.next_cursor).not.toBe('');
    expect(
      (await app.get<{ links: unknown[] }>(`/links?limit=500&cursor=${first.next_cursor}`)).links,
    ).toHaveLength(links.length - 1);
  });
});

describe('An exchangeable token (link-lifecycle 15, check 4)', () => {
  const refusal = { error_code: 'link_session_error.invalid_token_exchange' };

  async function succeeded(): Promise<ConnectVisit> {
    const visit = await ConnectVisit.open(
      app.baseUrl,
      (await app.createSession()).link_session_token,
    );
    await visit.select();
    return visit;
  }

  it('is repeated for one request id and voided by the next', async () => {
    const visit = await succeeded();
    const request = '5f0c3b0e-4f5e-4b57-9df0-0a6f2a1d2c11';
    const first = await visit.finish(request);
    expect(await visit.finish(request)).toEqual(first);
    const second = await visit.finish();
    expect(second.exchangeable_token).not.toBe(first.exchangeable_token);
    expect(await app.exchange(first.exchangeable_token)).toMatchObject({
      status: 400,
      body: refusal,
    });
    expect((await app.exchange(second.exchangeable_token)).status).toBe(201);
  });

  it('works only once', async () => {
    const { result } = await linkInstantBank(app);
    expect(await app.exchange(result.exchangeable_token)).toMatchObject({
      status: 400,
      body: refusal,
    });
    expect(await app.exchange('sandbox_xt_never-issued')).toMatchObject({
      status: 400,
      body: refusal,
    });
  });

  it('works only for its own app and environment', async () => {
    const { exchangeable_token: token } = await (await succeeded()).finish();
    const foreign = await operate<StandaloneApp>(
      service.dataDir,
      'apps',
      'create',
      '--name',
      'Another company',
    );
    for (const pair of [foreign.sandbox, foreign.live, service.app.live]) {
      expect(await new AppBackEnd(app.baseUrl, pair).exchange(token)).toMatchObject({
        status: 400,
        body: refusal,
      });
    }
    expect((await app.exchange(token)).status).toBe(201);
  });

  it('is void after the link is deleted', async () => {
    const visit = await succeeded();
    const { exchangeable_token: token } = await visit.finish();
    const linkId = (await truth.linkOfSession(visit.view.session_id))?.link_id ?? '';
    expect((await app.call('DELETE', `/links/${linkId}`)).status).toBe(204);
    expect(await app.exchange(token)).toMatchObject({ status: 400, body: refusal });
    expect(await visit.call('GET', '/session')).toMatchObject({
      status: 410,
      body: { error_code: 'connect_error.session_closed' },
    });
  });
});

describe('A deleted link', () => {
  it('announces its deletion once, stays visible and returns no data', async () => {
    const { linkId } = await linkInstantBank(app, { webhook: receiver.url() });
    await app.untilRefreshed(linkId, 'transactions');
    expect((await app.call('GET', `/links/${linkId}/accounts`)).status).toBe(200);

    const deleted = await app.call('DELETE', `/links/${linkId}`);
    expect(deleted).toMatchObject({ status: 204, body: null });
    expect(await app.link(linkId)).toMatchObject({ state: 'deleted', error_code: null });
    for (const read of ['accounts', 'transactions', 'transactions/sync']) {
      expect(await app.call('GET', `/links/${linkId}/${read}`)).toMatchObject({
        status: 410,
        body: { error_code: 'link_error.deleted' },
      });
    }
    expect(await app.call('DELETE', `/links/${linkId}`)).toMatchObject({
      status: 410,
      body: { error_code: 'link_error.deleted' },
    });
    await delivered(linkId, PREFETCHED_STORY.length + 1);
    expect(await truth.story(linkId)).toEqual([...PREFETCHED_STORY, 'state deleted']);
    const [left] = await truth.rows<Record<string, string>>(
      `SELECT (SELECT count(*) FROM accounts a WHERE a.link_pk = l.pk) AS accounts, (SELECT count(*) FROM transaction_versions t WHERE t.link_pk = l.pk) AS rows,
              (SELECT count(*) FROM provider_credentials p WHERE p.link_pk = l.pk) AS credentials FROM links l WHERE l.link_id = $1`,
      [linkId],
    );
    expect(left).toEqual({ accounts: '0', rows: '0', credentials: '0' });
  });
});
