import { randomUUID } from 'node:crypto';
import { errorOf } from '../../support/services/api-client.js';
import { BANK, connectedLink, finishedSession } from '../../support/services/api-in-process.js';
import {
  exit,
  finish,
  invalid,
  open,
  service,
  startConnectCalls,
  token,
} from './support/connect-calls.js';

startConnectCalls();

describe('The result of a session', () => {
  it('is returned in the success step only', async () => {
    const early = await finish();
    expect(errorOf(early)).toMatchObject({ status: 409, code: 'connect_error.stale_step' });
    expect(early.body).toMatchObject({ view: { seq: 1 } });
    expect(errorOf(await finish('x'))).toMatchObject({
      status: 422,
      code: invalid,
      locations: ['body.request_id'],
    });
    expect(errorOf(await exit('bored'))).toMatchObject({
      status: 422,
      code: invalid,
      locations: ['body.reason'],
    });
  });

  it('is the same for the same request, and is voided by another one', async () => {
    const finished = await finishedSession(service, token);
    const result = async (requestId: string) =>
      (
        await service.api
          .as(finished.connectToken)
          .post('/connect/api/session/finish', { json: { request_id: requestId } })
      ).body as { exchangeable_token: string };
    const requestId = randomUUID();
    const first = await result(requestId);
    expect(first).toEqual({
      mode: 'link',
      exchangeable_token: expect.stringMatching(/^sandbox_xt_[\w-]{43}$/),
      expires_in: 1800,
      session_id: finished.sessionId,
      institution: expect.objectContaining({
        institution_id: BANK,
        group: 'primary',
        login: 'none',
        health: 'operational',
      }),
      accounts: [
        {
          account_id: expect.stringMatching(/^acc_/),
          account_type: 'depository.checking',
          name: 'Everyday Checking',
          account_mask: '1101',
        },
        {
          account_id: expect.stringMatching(/^acc_/),
          account_type: 'depository.savings',
          name: 'Rainy Day Savings',
          account_mask: '2202',
        },
      ],
    });
    expect(await result(requestId)).toEqual(first);
    const second = await result(randomUUID());
    expect(second.exchangeable_token).not.toBe(first.exchangeable_token);

    const exchange = (exchangeable: string, as: string) =>
      service.api
        .as(as)
        .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeable } });
    const refused = { status: 400, code: 'link_session_error.invalid_token_exchange' };
    expect(errorOf(await exchange(finished.exchangeableToken, token))).toMatchObject(refused);
    expect(errorOf(await exchange(first.exchangeable_token, token))).toMatchObject(refused);
    expect(
      errorOf(await exchange(second.exchangeable_token, await service.token('rival'))),
    ).toMatchObject(refused);
    expect(
      errorOf(
        await exchange(second.exchangeable_token, await service.token('pocket-ledger', 'live')),
      ),
    ).toMatchObject(refused);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => exchange(second.exchangeable_token, token)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    for (const path of ['/connect/api/session', '/connect/api/institutions']) {
      expect(errorOf(await service.api.as(finished.connectToken).get(path))).toMatchObject({
        status: 410,
        code: 'connect_error.session_closed',
      });
    }
    expect(errorOf(await open({ link_session_token: finished.linkSessionToken }))).toMatchObject({
      status: 410,
      code: 'connect_error.session_closed',
    });
  });

  it('is exchanged only for the user the app expects, and stays valid for that user', async () => {
    const finished = await finishedSession(service, token, { customer_user: { id: 'Robin' } });
    const exchange = (expected: unknown, headers: Record<string, string> = {}) =>
      service.api.as(token).post('/link-session/exchange-token', {
        json: {
          exchangeable_token: finished.exchangeableToken,
          expected_customer_user_id: expected,
        },
        headers,
      });
    const linkOf = () =>
      service.database.prisma.link.findFirstOrThrow({
        where: { sessions: { some: { sessionId: finished.sessionId } } },
        select: { linkId: true, state: true, revision: true, exchangeableTokens: true },
      });
    const before = await linkOf();
    for (const other of ['Alex', 'robin', ' Robin', 'Robin ', 'R']) {
      expect(errorOf(await exchange(other))).toMatchObject({
        status: 403,
        code: 'link_error.forbidden_action',
      });
    }
    const key = { 'idempotency-key': randomUUID() };
    expect({
      firstStatus: (await exchange('Alex', key)).status,
      secondStatus: (await exchange('Alex', key)).status,
    }).toEqual({ firstStatus: 403, secondStatus: 403 });
    for (const unreadable of [null, '', 'x'.repeat(151)]) {
      expect(errorOf(await exchange(unreadable))).toMatchObject({
        status: 422,
        locations: ['body.expected_customer_user_id'],
      });
    }
    expect(await linkOf()).toEqual(before);
    expect(await exchange('Robin')).toMatchObject({
      status: 201,
      body: { customer_user: { id: 'Robin' } },
    });
    expect(errorOf(await exchange('Alex'))).toMatchObject({ status: 400 });
  });

  it('cannot be exchanged after the link was deleted', async () => {
    const finished = await finishedSession(service, token);
    const link = await service.database.prisma.link.findFirstOrThrow({
      where: { sessions: { some: { sessionId: finished.sessionId } } },
    });
    expect((await service.api.as(token).delete(`/links/${link.linkId}`)).status).toBe(204);
    const late = await service.api.as(token).post('/link-session/exchange-token', {
      json: { exchangeable_token: finished.exchangeableToken },
    });
    expect(errorOf(late)).toMatchObject({
      status: 400,
      code: 'link_session_error.invalid_token_exchange',
    });
    expect(
      errorOf(await service.api.as(finished.connectToken).get('/connect/api/session')),
    ).toMatchObject({ status: 410, code: 'connect_error.session_closed' });
  });
});

describe('A link of a finished session', () => {
  it('is connected by the exchange, and its accounts can be read', async () => {
    const linkId = await connectedLink(service, token);
    const { body } = await service.api.as(token).get(`/links/${linkId}/accounts`);
    expect(body).toMatchObject({
      accounts: [
        {
          balances: {
            currency: 'USD',
            available: 2210.52,
            current: 2350,
            limit: null,
            balance_date: null,
          },
        },
        { name: 'Rainy Day Savings' },
      ],
      link: {
        link_id: linkId,
        state: 'connected',
        institution_avatar: `http://127.0.0.1:4000/institutions/${BANK}/avatar.svg`,
      },
    });
  });
});
