import {
  finishedSession,
  startApiInProcess,
  type ApiInProcess,
} from '../support/services/api-in-process.js';
import { failureOf, plaidOf, refusalOf } from '../support/actors/plaid-client.js';

const INVALID_PUBLIC_TOKEN = [400, 'INVALID_INPUT', 'INVALID_PUBLIC_TOKEN'];
const INVALID_ACCESS_TOKEN = [400, 'INVALID_INPUT', 'INVALID_ACCESS_TOKEN'];
const ITEM_NOT_FOUND = [400, 'ITEM_ERROR', 'ITEM_NOT_FOUND'];

let service: ApiInProcess;
let native: string;
beforeAll(async () => {
  service = await startApiInProcess();
  native = await service.token('pocket-ledger');
});
afterAll(() => service?.close());

const plaid = () => plaidOf(service);
const publicToken = async () => (await finishedSession(service, native)).exchangeableToken;
const exchanged = async () =>
  (await plaid().itemPublicTokenExchange({ public_token: await publicToken() })).data;
const stateOf = async (linkId: string) =>
  (await service.api.as(native).get(`/links/${linkId}`)).body;

describe('/item/public_token/exchange', () => {
  it('connects the link of a native session, whose id is the item_id', async () => {
    const { access_token: token, item_id: itemId, request_id: requestId } = await exchanged();
    expect(token).toMatch(/^access-sandbox-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(requestId).toHaveLength(15);
    expect(await stateOf(itemId)).toMatchObject({ state: 'connected' });
  });

  it('succeeds exactly once, also with concurrent calls', async () => {
    const token = await publicToken();
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map(() => plaid().itemPublicTokenExchange({ public_token: token })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(plaid().itemPublicTokenExchange({ public_token: token }))).toEqual(
      INVALID_PUBLIC_TOKEN,
    );
  });

  it('never reveals the problem with a token', async () => {
    const token = await publicToken();
    const messages = await Promise.all([
      failureOf(plaid().itemPublicTokenExchange({ public_token: 'nonsense' })),
      failureOf(plaidOf(service, 'rival').itemPublicTokenExchange({ public_token: token })),
      failureOf(
        plaidOf(service, 'pocket-ledger', 'live').itemPublicTokenExchange({ public_token: token }),
      ),
    ]);
    expect(
      new Set(
        messages.map(({ status, data }) => `${status} ${data.error_code} ${data.error_message}`),
      ).size,
    ).toBe(1);
    await service.database.prisma.exchangeableToken.updateMany({
      where: { usedAt: null },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await refusalOf(plaid().itemPublicTokenExchange({ public_token: token }))).toEqual(
      INVALID_PUBLIC_TOKEN,
    );
  });
});

describe('An access_token', () => {
  it('is stored only as its hash', async () => {
    const { access_token: token } = await exchanged();
    const { rows } = await service.database.pool.query<{ found: string }>(
      `SELECT row_to_json(t)::text AS found FROM item_access_tokens t`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ found }) => found).join('\n')).not.toContain(
      token.slice('access-sandbox-'.length),
    );
  });

  it('is replaced by /item/access_token/invalidate, and becomes invalid at once', async () => {
    const { access_token: token, item_id: itemId } = await exchanged();
    const {
      data: { new_access_token: fresh },
    } = await plaid().itemAccessTokenInvalidate({ access_token: token });
    expect(await refusalOf(plaid().itemAccessTokenInvalidate({ access_token: token }))).toEqual(
      INVALID_ACCESS_TOKEN,
    );
    await plaid().itemRemove({ access_token: fresh });
    expect(await stateOf(itemId)).toMatchObject({ state: 'deleted' });
    expect(await refusalOf(plaid().itemRemove({ access_token: token }))).toEqual(
      INVALID_ACCESS_TOKEN,
    );
  });

  it('is replaced by only one of several concurrent calls', async () => {
    const { access_token: token } = await exchanged();
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => plaid().itemAccessTokenInvalidate({ access_token: token })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('works only for its own app and environment', async () => {
    const { access_token: token } = await exchanged();
    expect(await refusalOf(plaidOf(service, 'rival').itemRemove({ access_token: token }))).toEqual(
      INVALID_ACCESS_TOKEN,
    );
    expect(
      await refusalOf(
        plaidOf(service, 'pocket-ledger', 'live').itemRemove({ access_token: token }),
      ),
    ).toEqual(INVALID_ACCESS_TOKEN);
  });

  it('of a removed item returns ITEM_NOT_FOUND on every call', async () => {
    const { access_token: token, item_id: itemId } = await exchanged();
    const { data } = await plaid().itemRemove({
      access_token: token,
      reason_code: 'OTHER' as never,
      reason_note: 'moved',
    });
    expect(Object.keys(data)).toEqual(['request_id']);
    expect(await stateOf(itemId)).toMatchObject({ state: 'deleted' });
    expect(await refusalOf(plaid().itemRemove({ access_token: token }))).toEqual(ITEM_NOT_FOUND);
    expect(await refusalOf(plaid().itemAccessTokenInvalidate({ access_token: token }))).toEqual(
      ITEM_NOT_FOUND,
    );
  });
});

describe('The rate limits of an item', () => {
  it('are counted for each item, and return Retry-After', async () => {
    const [one, other] = [await exchanged(), await exchanged()];
    let token = one.access_token;
    for (let call = 0; call < 30; call += 1)
      token = (await plaid().itemAccessTokenInvalidate({ access_token: token })).data
        .new_access_token;
    const { status, data, headers } = await failureOf(
      plaid().itemAccessTokenInvalidate({ access_token: token }),
    );
    expect({ status, error_type: data.error_type, error_code: data.error_code }).toEqual({
      status: 429,
      error_type: 'RATE_LIMIT_EXCEEDED',
      error_code: 'RATE_LIMIT',
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await plaid().itemRemove({ access_token: other.access_token });
  });

  it('also apply to a removed item', async () => {
    const { access_token: token } = await exchanged();
    const remove = () => plaid().itemRemove({ access_token: token });
    await remove();
    for (let call = 1; call < 30; call += 1)
      expect(await refusalOf(remove())).toEqual(ITEM_NOT_FOUND);
    const { status, data, headers } = await failureOf(remove());
    expect({ status, error_type: data.error_type, error_code: data.error_code }).toEqual({
      status: 429,
      error_type: 'RATE_LIMIT_EXCEEDED',
      error_code: 'RATE_LIMIT',
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});
