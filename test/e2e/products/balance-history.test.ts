import { errorOf } from '../../support/services/api-client.js';
import {
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

interface History {
  account_id: string;
  from: string;
  to: string;
  opening: { date: string } | null;
  balances: { date: string; currency: string; current: number | null }[];
  link: { link_id: string };
}

let service: ApiInProcess;
let token: string;
let path: string;
let linkId: string;
let accountId: string;
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
/** The day on which the bank was read. */
let linkedOn: string;
beforeAll(async () => {
  service = await startApiInProcess({ RATE_LIMIT_API: 'off' });
  token = await service.token('pocket-ledger');
  linkId = await connectedLink(service, token);
  const { prisma } = service.database;
  const account = await prisma.account.findFirstOrThrow({ where: { permitted: true } });
  ({ accountId } = account);
  const read = await prisma.accountBalance.findFirstOrThrow({ where: { accountPk: account.pk } });
  linkedOn = dayOf(read.day);
  path = `/links/${linkId}/accounts/${accountId}/balances`;
  await prisma.accountBalance.createMany({
    data: [
      { day: '2025-12-30', current: '0.10' },
      { day: '2026-01-02', current: '12345678901234567.89' },
      { day: '2026-01-05', current: null },
    ].map(({ day, current }) => ({
      accountPk: account.pk,
      day: new Date(day),
      currency: 'USD',
      current,
    })),
  });
});
afterAll(() => service?.close());

const history = async (query = '') => {
  const response = await service.api.get(path + query, { token });
  expect(response.status).toBe(200);
  return { ...(response.body as History), text: response.text };
};

describe('GET /links/{id}/accounts/{account_id}/balances (native-api 3.5)', () => {
  it('lists the changes of the given days, and the last balances before them', async () => {
    const { opening, balances, text, ...rest } = await history('?from=2026-01-01&to=2026-01-31');
    expect(rest).toMatchObject({
      account_id: accountId,
      from: '2026-01-01',
      to: '2026-01-31',
      link: { link_id: linkId },
    });
    expect(opening).toMatchObject({ date: '2025-12-30', current: 0.1 });
    expect(balances.map(({ date }) => date)).toEqual(['2026-01-02', '2026-01-05']);
    // Exact, although no JavaScript number holds it.
    expect(text).toContain('"current":12345678901234567.89');
  });

  it('begins with linking, and lists 90 days until today unless asked otherwise', async () => {
    const asked = new Date();
    const { to, from, balances } = await history();
    // Midnight may have passed in the meantime.
    expect([asked, new Date()].map(dayOf)).toContain(to);
    expect(Date.parse(to) - Date.parse(from)).toBe(89 * 86_400_000);
    expect(balances.at(-1)).toMatchObject({ date: linkedOn, currency: 'USD' });
  });

  it('is part of the export of its user', async () => {
    const { userId } = await service.database.prisma.customerUser.findFirstOrThrow({
      where: { links: { some: { linkId } } },
    });
    const { body } = await service.api.get(`/users/${encodeURIComponent(userId)}/export`, {
      token,
    });
    const { links } = body as {
      links: { accounts: { account_id: string; balance_history: { date: string }[] }[] }[];
    };
    const exported = links[0]?.accounts.find((each) => each.account_id === accountId);
    expect(exported?.balance_history.map(({ date }) => date)).toEqual([
      '2025-12-30',
      '2026-01-02',
      '2026-01-05',
      linkedOn,
    ]);
  });

  it.each([
    ['?from=2026-01-32', 'query.from'],
    ['?from=yesterday', 'query.from'],
    ['?to=2026-02-30', 'query.to'],
    ['?from=2026-01-02&to=2026-01-01', 'query.from'],
    ['?from=2024-01-01&to=2026-01-02', 'query.from'],
    ['?to=2026-01-01&to=2026-01-02', 'query.to'],
  ])('refuses %s at %s', async (query, location) => {
    expect(errorOf(await service.api.get(path + query, { token }))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [location],
    });
  });

  it('knows no account of another link', async () => {
    const other = await connectedLink(service, token);
    expect(
      errorOf(await service.api.get(`/links/${other}/accounts/${accountId}/balances`, { token })),
    ).toMatchObject({ status: 404, code: 'link_error.not_found' });
    const rival = await service.token('rival');
    expect(errorOf(await service.api.get(path, { token: rival }))).toMatchObject({
      status: 401,
      code: 'link_error.unauthorized_access',
    });
  });
});
