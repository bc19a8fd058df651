import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CODES_NOT_GIVEN,
  PLAID_ERROR_TYPES,
  type PlaidErrorCode,
} from '../../domain/plaid/errors.js';
import { OAUTH_BANK } from '../support/services/row-steps.js';
import { failureOf, refusalOf, type PlaidFailure } from '../support/actors/plaid-client.js';
import { representatives } from '../support/runner/representatives.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { PROVOKED_ERRORS } from './support/provoked-errors.js';
import { IN_ONE_MINUTE, LIMITED, linkItem, sharedItem, YEAR } from './support/provoked-failures.js';

const service = plaidServiceOfFile();
const limited = plaidServiceOfFile(LIMITED, IN_ONE_MINUTE);

const headersOf = ({ headers }: PlaidFailure) => Object.keys(headers);

/** Started before the other tests, so that none of them has to wait for it. */
let unanswered: Promise<{ failure: PlaidFailure; seconds: number }>;
beforeAll(async () => {
  const { accessToken } = await linkItem(service);
  const began = Date.now();
  unanswered = failureOf(service.plaid.accountsBalanceGet({ access_token: accessToken })).then(
    (failure) => ({ failure, seconds: (Date.now() - began) / 1_000 }),
  );
});

const OTHER_TESTS = readdirSync('test/compat')
  .filter((name) => name.endsWith('.test.ts') && name !== 'errors.test.ts')
  .map((name) => readFileSync(join('test/compat', name), 'utf8'))
  .join('\n');
/** Requires the worker and its banks, or a webhook. */
const isProvokedElsewhere = (code: string) => OTHER_TESTS.includes(`'${code}'`);

describe('An error of the compatibility layer', () => {
  it.each(Object.entries(PROVOKED_ERRORS))(
    'with code %s is returned in the common shape',
    async (code, { status = 400, type, display, provoke }) => {
      const failure = await provoke({ service, limited });
      const { data, headers } = failure;
      expect({
        status: failure.status,
        error_type: data.error_type,
        error_code: data.error_code,
      }).toEqual({ status, error_type: type, error_code: code });
      expect(data).toEqual({
        error_type: type,
        error_code: code,
        error_message: expect.stringMatching(/\S/),
        display_message: display === true ? expect.stringMatching(/\.$/) : null,
        suggested_action: null,
        documentation_url: `http://127.0.0.1:4000/compatibility/plaid#${code}`,
        request_id: expect.stringMatching(/^[A-Za-z0-9]{15}$/),
      });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(
        headersOf(failure).filter(
          (name) => name.startsWith('service-') || name === 'www-authenticate',
        ),
      ).toEqual([]);
      if (status === 429 && code.endsWith('_LIMIT') && code !== 'INSTITUTION_RATE_LIMIT')
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  it('is provoked by a test for every code the layer returns', () => {
    const folder = 'apps/api/src/plaid';
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('overview'))
      .map((path) => join(folder, path));
    const sources = [...files, 'domain/plaid/item-faults.ts']
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const codes = Object.values(PLAID_ERROR_TYPES).flatMap(
      (type) => Object.keys(type.codes) as PlaidErrorCode[],
    );
    const given = codes.filter((code) => new RegExp(`['"]${code}['"]`).test(sources));
    expect(codes.filter((code) => !given.includes(code))).toEqual([...CODES_NOT_GIVEN]);
    expect(
      given.filter((code) => PROVOKED_ERRORS[code] === undefined && !isProvokedElsewhere(code)),
    ).toEqual([]);
  });

  it('for an item at an OAuth bank includes the reason why its consent ended', async () => {
    const { accessToken, linkId } = await linkItem(service);
    const { accessToken: other } = await sharedItem(service);
    await service.api.database.prisma.link.update({
      where: { linkId },
      data: {
        institutionId: OAUTH_BANK,
        state: 'error',
        errorCode: 'auth_expired',
        errorCause: 'consent_expired',
      },
    });
    expect(
      (await failureOf(service.plaid.accountsGet({ access_token: accessToken }))).data,
    ).toMatchObject({
      error_code: 'ITEM_LOGIN_REQUIRED',
      error_code_reason: 'OAUTH_CONSENT_EXPIRED',
    });
    expect(
      (await service.plaid.itemGet({ access_token: accessToken })).data.item.error,
    ).toMatchObject({ error_code_reason: 'OAUTH_CONSENT_EXPIRED' });
    expect(
      (await failureOf(service.plaid.transactionsGet({ access_token: other, ...YEAR }))).data,
    ).not.toHaveProperty('error_code_reason');
  });
});

describe('A call that waits for a fetch', () => {
  // plaid-compat 3.7, last lines. test/unit/api/plaid/item-faults.test.ts has the error of every cause.
  it.each(
    representatives(
      [
        ['institution_timeout', 'INSTITUTION_NOT_RESPONDING'],
        ['institution_down', 'INSTITUTION_DOWN'],
        ['no_accounts', 'NO_ACCOUNTS'],
        ['not_supported', 'PRODUCTS_NOT_SUPPORTED'],
        ['no_permission', 'ADDITIONAL_CONSENT_REQUIRED'],
        ['consent_expired', 'ITEM_LOGIN_REQUIRED'],
        ['internal', 'INTERNAL_SERVER_ERROR'],
      ] as const,
      ([cause]) => ['institution_down', 'no_permission', 'consent_expired'].includes(cause),
    ),
  )('returns, when the fetch fails with %s, the error %s', async (cause, code) => {
    const stored = await linkItem(service);
    const waiting = refusalOf(
      service.plaid.accountsBalanceGet({ access_token: stored.accessToken }),
    );
    await stored.refuseWhenAsked('accounts', cause);
    expect((await waiting)[2]).toBe(code);
  });
});

describe('/accounts/balance/get for an institution that never responds', () => {
  it('ends after 25 seconds', async () => {
    const { failure, seconds } = await unanswered;
    expect(failure.data.error_code).toBe('INSTITUTION_NOT_RESPONDING');
    expect(seconds).toBeGreaterThanOrEqual(24.9);
    expect(seconds).toBeLessThan(40);
  });
});
