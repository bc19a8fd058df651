import { randomUUID } from 'node:crypto';
import type { StepContent } from '../../domain/session/connect-step.js';
import { forgetPlaidTokens } from '../../prisma/views/plaid/plaid-session.repository.js';
import { SessionTimeRepository } from '../../prisma/work/linking/session-time.repository.js';
import type { ApiClient } from '../support/services/api-client.js';
import { BANK } from '../support/services/api-in-process.js';
import { OAUTH_BANK } from '../support/services/row-steps.js';
import { expectGolden } from './support/golden.js';
import { plaidOf, refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';

const service = plaidServiceOfFile();

describe('/link/token/get', () => {
  it('returns the request, and the result after the session ends', async () => {
    const {
      data: { link_token: token, expiration },
    } = await service.create({
      webhook: 'https://app.example/hook',
      account_filters: { depository: { account_subtypes: ['all'] } },
    });
    const { data: before } = await service.plaid.linkTokenGet({ link_token: token });
    expect(before).toMatchObject({
      link_token: token,
      expiration,
      link_sessions: [],
      metadata: {
        initial_products: ['transactions'],
        webhook: 'https://app.example/hook',
        country_codes: ['US'],
        language: 'en',
        redirect_uri: null,
        client_name: 'Pocket Ledger',
        account_filters: { depository: { account_subtypes: ['all'] } },
      },
    });
    const { public_token: publicToken } = await service.link(token);
    const {
      data: { link_sessions: [session] = [] },
    } = await service.plaid.linkTokenGet({ link_token: token });
    expect(session).toMatchObject({
      link_session_id: expect.any(String),
      exit: null,
      events: [{ event_name: 'OPEN' }, { event_name: 'HANDOFF' }],
      results: {
        item_add_results: [
          {
            public_token: publicToken,
            institution: { institution_id: BANK, name: BANK },
            accounts: [
              {
                name: 'Everyday Checking',
                mask: '1101',
                type: 'depository',
                subtype: 'checking',
                verification_status: null,
                class_type: null,
              },
              { mask: '2202' },
            ],
          },
        ],
        cra_item_add_results: [],
        bank_income_results: [],
        payroll_income_results: [],
        document_income_results: null,
      },
    });
  });

  const opened = async (token: string) => {
    const answer = await service.api.api.post('/connect/api/session/open', {
      json: {
        link_session_token: token,
        request_id: randomUUID(),
        origin: 'https://app.example',
        platform: 'web',
      },
    });
    return service.api.api.as((answer.body as { connect_token: string }).connect_token);
  };
  const leave = (connect: ApiClient, reason = 'user_closed') =>
    connect.post('/connect/api/session/exit', { json: { request_id: randomUUID(), reason } });
  const runOf = async (token: string) =>
    (await service.plaid.linkTokenGet({ link_token: token })).data.link_sessions?.[0];
  const sessionOf = async () =>
    (
      await service.api.database.prisma.linkSession.findFirstOrThrow({
        orderBy: { createdAt: 'desc' },
      })
    ).sessionId;

  it('returns the point at which the user left until the user returns', async () => {
    const {
      data: { link_token: token },
    } = await service.create();
    const connect = await opened(token);
    expect(await runOf(token)).toMatchObject({
      finished_at: null,
      exit: null,
      events: [{ event_name: 'OPEN' }],
    });
    await connect.post('/connect/api/session/step', {
      json: {
        seq: 1,
        request_id: randomUUID(),
        input: { kind: 'select_institution', institution_id: OAUTH_BANK },
      },
    });
    await leave(connect);
    await leave(connect);
    expect(await runOf(token)).toMatchObject({
      finished_at: expect.stringMatching(/Z$/),
      results: null,
      exit: {
        error: null,
        metadata: {
          status: 'requires_oauth',
          institution: { name: OAUTH_BANK, institution_id: OAUTH_BANK },
          link_session_id: await sessionOf(),
        },
      },
      events: [
        { event_name: 'OPEN' },
        { event_name: 'EXIT', event_metadata: { exit_status: 'requires_oauth' } },
      ],
    });
    await leave(await opened(token), 'connect_manually');
    expect((await runOf(token))?.exit).toMatchObject({
      error: null,
      metadata: { status: 'institution_not_found', institution: null },
    });
    await opened(token);
    expect(await runOf(token)).toMatchObject({ finished_at: null, exit: null });
    await service.link(token);
    expect(await runOf(token)).toMatchObject({
      exit: null,
      results: { item_add_results: [{}] },
      events: [{}, { event_name: 'HANDOFF' }],
    });
  });

  it('returns the last error of a session that was abandoned or expired', async () => {
    const {
      data: { link_token: token },
    } = await service.create();
    const connect = await opened(token);
    const sessionId = await sessionOf();
    const form = {
      kind: 'form' as const,
      purpose: 'credentials' as const,
      fields: [],
      help_url: null,
      reset_url: null,
    } satisfies StepContent;
    await service.api.steps.show(sessionId, 9, form, {
      error: { code: 'invalid_credentials', text: 'wrong' },
    });
    await leave(connect);
    const run = await runOf(token);
    expect(run?.exit).toMatchObject({
      error: {
        error_type: 'ITEM_ERROR',
        error_code: 'INVALID_CREDENTIALS',
        documentation_url: expect.stringContaining('#INVALID_CREDENTIALS'),
      },
      metadata: { status: 'requires_credentials' },
    });
    expect(run?.exit?.error).not.toHaveProperty('status');
    expect(run?.events?.at(-1)?.event_metadata).toMatchObject({
      error_type: 'ITEM_ERROR',
      error_code: 'INVALID_CREDENTIALS',
      exit_status: 'requires_credentials',
    });
    expectGolden(
      '/link/token/get',
      (await service.plaid.linkTokenGet({ link_token: token })).data,
      'left',
    );

    await opened(token);
    await service.api.steps.show(sessionId, 19, {
      kind: 'otp',
      channel: 'sms',
      target: null,
      length: 6,
      digits_only: true,
      resend_after_seconds: null,
    });
    await service.api.database.prisma.linkSession.update({
      where: { sessionId },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    await new SessionTimeRepository(service.api.ctx).expireIfDue(sessionId);
    expect((await runOf(token))?.exit).toMatchObject({
      error: null,
      metadata: { status: 'requires_code' },
    });
  });

  it('returns a session only to its creator, and until six hours after its end', async () => {
    const {
      data: { link_token: token },
    } = await service.create();
    const INVALID_LINK_TOKEN = [400, 'INVALID_INPUT', 'INVALID_LINK_TOKEN'];
    expect(
      await refusalOf(plaidOf(service.api, 'rival').linkTokenGet({ link_token: token })),
    ).toEqual(INVALID_LINK_TOKEN);
    expect(await refusalOf(service.plaid.linkTokenGet({ link_token: 'nonsense' }))).toEqual(
      INVALID_LINK_TOKEN,
    );
    const { public_token: publicToken } = await service.link(token);
    await service.plaid.itemPublicTokenExchange({ public_token: publicToken });
    expect((await service.plaid.linkTokenGet({ link_token: token })).status).toBe(200);
    const later = new Date(Date.now() + 6 * 3_600_000 + 1_000);
    expect(await forgetPlaidTokens(service.api.ctx, later)).toBeGreaterThan(0);
    expect(
      await service.api.database.prisma.linkSession.count({
        where: { state: 'ended', sealedPublicToken: { not: null } },
      }),
    ).toBe(0);
    await service.api.database.prisma.linkSession.updateMany({
      where: { state: 'ended' },
      data: { endedAt: new Date(Date.now() - 6 * 3_600_000 - 1_000) },
    });
    expect(await refusalOf(service.plaid.linkTokenGet({ link_token: token }))).toEqual(
      INVALID_LINK_TOKEN,
    );
  });
});
