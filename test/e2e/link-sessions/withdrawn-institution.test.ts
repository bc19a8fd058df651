import { eventually } from '../../support/assertions/eventually.js';
import type { Pool } from 'pg';
import { InstitutionRepository } from '../../../prisma/sources/institutions/institution.repository.js';
import { plaidOf, refusalOf } from '../../support/actors/plaid-client.js';
import { LINK_REQUEST } from '../../support/fixtures/plaid-service.js';
import { errorOf } from '../../support/services/api-client.js';
import {
  BANK,
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { openPool } from '../../support/services/postgres.mjs';

let service: ApiInProcess;
let token: string;
let connection: Pool;

beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
  connection = openPool({ connectionString: service.environment['DATABASE_URL'], max: 1 });
});

beforeEach(() => offer(BANK));

afterAll(async () => {
  await connection?.end();
  await service?.close();
});

const entry = {
  name: BANK,
  country: 'US',
  domain: null,
  color: null,
  colorDark: null,
  isFeatured: false,
  environment: 'sandbox' as const,
  login: 'none' as const,
  products: ['accounts', 'transactions'] as const,
  otherNames: [],
  aliases: ['instant'],
};

const offer = (...institutionIds: string[]) =>
  new InstitutionRepository(service.ctx).syncCatalog(
    'sandbox',
    institutionIds.map((institutionId) => ({ ...entry, institutionId, remoteId: institutionId })),
  );

/**
 * Sends a request that has passed its checks when the provider withdraws the bank, and that is
 * stored afterwards.
 */
async function withdrawnWhile<Answer>(send: () => Promise<Answer>, table: string): Promise<Answer> {
  const blocker = await connection.connect();
  try {
    await blocker.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
    const answer = send();
    await eventually(async () => {
      const { rowCount } = await blocker.query(
        "SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND NOT granted AND mode <> 'ShareLock'",
        [table],
      );
      expect(rowCount).toBeGreaterThan(0);
    });
    await offer();
    await blocker.query('COMMIT');
    return await answer;
  } finally {
    blocker.release();
  }
}

const sessions = () => service.database.prisma.linkSession.count();

// link-lifecycle 2.1.
describe('A bank withdrawn between the checks of a session request and its creation', () => {
  it.each([BANK, 'instant'])(
    'causes an error when the request names %s, and nothing of the session is stored',
    async (institutionId) => {
      const before = await sessions();
      const refused = await withdrawnWhile(
        () =>
          service.api.as(token).post('/link-session', {
            json: { customer_user: { id: 'late' }, institution_id: institutionId },
          }),
        'customer_users',
      );
      expect(errorOf(refused)).toEqual({
        status: 422,
        code: 'api_error.request.validation_failed',
        locations: ['body.institution_id'],
      });
      expect(await sessions()).toBe(before);
      expect(await service.database.prisma.customerUser.count({ where: { userId: 'late' } })).toBe(
        0,
      );
    },
  );

  it('causes an error of a relink session too, and earlier sessions of the link stay open', async () => {
    const linkId = await connectedLink(service, token);
    const relink = () =>
      service.api.as(token).post('/link-session', {
        json: { customer_user: { id: 'user-4711' }, existing_link_id: linkId },
      });
    const earlier = await relink();
    expect(earlier.status).toBe(201);
    const before = await sessions();
    expect(errorOf(await withdrawnWhile(relink, 'link_sessions'))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: ['body.existing_link_id'],
    });
    expect(await sessions()).toBe(before);
    expect(
      await service.database.prisma.linkSession.count({
        where: { existingLinkId: linkId, state: 'created' },
      }),
    ).toBe(1);
  });

  it('causes INVALID_INSTITUTION for a client of the compatibility layer', async () => {
    const refusal = await withdrawnWhile(
      () =>
        refusalOf(
          plaidOf(service).linkTokenCreate({
            ...LINK_REQUEST,
            user: { client_user_id: 'late' },
            institution_id: BANK,
          }),
        ),
      'customer_users',
    );
    expect(refusal).toEqual([400, 'INVALID_INPUT', 'INVALID_INSTITUTION']);
    expect(await service.database.prisma.customerUser.count({ where: { userId: 'late' } })).toBe(0);
  });
});
