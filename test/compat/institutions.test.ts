import { CountryCode, Products } from 'plaid';
import { BANK, startApiInProcess, type ApiInProcess } from '../support/services/api-in-process.js';
import { OAUTH_BANK } from '../support/services/row-steps.js';
import { plaidOf, refusalOf } from '../support/actors/plaid-client.js';

const US = { country_codes: [CountryCode.Us] };
const INVALID_INSTITUTION = [400, 'INVALID_INPUT', 'INVALID_INSTITUTION'];

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess();
});
afterAll(() => service?.close());

const plaid = () => plaidOf(service);

describe('/institutions/get_by_id', () => {
  it('returns an institution under the id that was requested', async () => {
    const { data } = await plaid().institutionsGetById({ institution_id: BANK, ...US });
    expect(data.institution).toEqual({
      institution_id: BANK,
      name: BANK,
      products: ['balance', 'transactions'],
      country_codes: ['US'],
      oauth: false,
      routing_numbers: [],
      connection_availability: 'SUPPORTED',
    });
    expect(
      (await plaid().institutionsGetById({ institution_id: 'ins_127287', ...US })).data.institution,
    ).toMatchObject({ institution_id: 'ins_127287', name: OAUTH_BANK, oauth: true });
  });

  it('returns additional fields only on request', async () => {
    const options = {
      include_optional_metadata: true,
      include_status: true,
      include_auth_metadata: true,
    };
    const {
      data: { institution },
    } = await plaid().institutionsGetById({ institution_id: OAUTH_BANK, ...US, options });
    expect(institution).toMatchObject({
      url: null,
      primary_color: '#2255aa',
      logo: null,
      auth_metadata: { supported_methods: { instant_auth: true, instant_match: false } },
    });
    expect(institution.status).toMatchObject({
      item_logins: {
        status: 'HEALTHY',
        last_status_change: expect.stringMatching(/Z$/),
        breakdown: { success: 1, error_plaid: 0, error_institution: 0 },
      },
      transactions_updates: { status: 'HEALTHY' },
      auth: { status: 'HEALTHY' },
      identity: { status: 'HEALTHY' },
    });
  });

  // plaid-compat 6.6: the shares sum to 1.
  it.each([
    ['degraded', 'DEGRADED', { success: 0.5, error_plaid: 0, error_institution: 0.5 }],
    ['down', 'DOWN', { success: 0, error_plaid: 0, error_institution: 1 }],
  ])('returns an institution that is %s with that status', async (health, status, breakdown) => {
    const { prisma } = service.database;
    await prisma.institutionRoute.updateMany({
      where: { institutionId: OAUTH_BANK },
      data: { health },
    });
    const {
      data: { institution },
    } = await plaid().institutionsGetById({
      institution_id: OAUTH_BANK,
      ...US,
      options: { include_status: true },
    });
    const shown = { status, last_status_change: expect.stringMatching(/Z$/), breakdown };
    expect(institution.status).toEqual({
      item_logins: shown,
      transactions_updates: shown,
      auth: shown,
      identity: shown,
    });
    await prisma.institutionRoute.updateMany({
      where: { institutionId: OAUTH_BANK },
      data: { health: 'operational' },
    });
  });

  it.each([
    ['an unknown institution', { institution_id: 'ins_999999', ...US }],
    [
      'an institution in another country',
      { institution_id: BANK, country_codes: [CountryCode.Gb] },
    ],
    ['an institution of the other environment', { institution_id: 'live-bank', ...US }],
  ])('returns an error for %s', async (_, request) => {
    expect(await refusalOf(plaid().institutionsGetById(request))).toEqual(INVALID_INSTITUTION);
  });

  it('returns an alias in the country of the institution it names', async () => {
    const request = { institution_id: 'ins_117650', country_codes: [CountryCode.Gb] };
    expect((await plaid().institutionsGetById(request)).data.institution).toMatchObject({
      institution_id: 'ins_117650',
      country_codes: ['GB'],
    });
    expect(await refusalOf(plaid().institutionsGetById({ ...request, ...US }))).toEqual(
      INVALID_INSTITUTION,
    );
  });

  it('accepts no aliases in Live', async () => {
    expect(
      await refusalOf(
        plaidOf(service, 'pocket-ledger', 'live').institutionsGetById({
          institution_id: 'ins_127287',
          ...US,
        }),
      ),
    ).toEqual(INVALID_INSTITUTION);
  });
});

describe('/institutions/get and /institutions/search', () => {
  const list = async (over: object = {}) => {
    const { data } = await plaid().institutionsGet({ count: 10, offset: 0, ...US, ...over });
    return { ids: data.institutions.map(({ institution_id: id }) => id), total: data.total };
  };

  it('return pages in a stable order', async () => {
    expect(await list()).toEqual({ ids: [BANK, OAUTH_BANK], total: 2 });
    expect(await list({ count: 1, offset: 1 })).toEqual({ ids: [OAUTH_BANK], total: 2 });
    expect(await list({ offset: 5 })).toEqual({ ids: [], total: 2 });
    expect(await list({ offset: 2 ** 31 - 1 })).toEqual({ ids: [], total: 2 });
  });

  it('return only the institutions that match the filters', async () => {
    expect((await list({ options: { products: [Products.Auth] } })).ids).toEqual([OAUTH_BANK]);
    expect((await list({ options: { oauth: false } })).ids).toEqual([BANK]);
    expect((await list({ options: { routing_numbers: ['021000021'] } })).total).toBe(0);
    expect((await list({ country_codes: [CountryCode.Fr] })).ids).toEqual([]);
  });

  it('find institutions by name', async () => {
    const find = async (query: string, products: Products[] | null = null) =>
      (await plaid().institutionsSearch({ query, products, ...US })).data.institutions.map(
        ({ institution_id: id }) => id,
      );
    expect(await find('sandbox oauth')).toEqual([OAUTH_BANK]);
    expect(await find('sandbox', [Products.Identity])).toEqual([OAUTH_BANK]);
  });

  it.each([
    ['count', { count: 501 }],
    ['offset', { offset: -1 }],
    ['offset', { offset: 2 ** 31 }],
    ['offset', { offset: 2 ** 63 }],
    ['offset', { offset: Number.MAX_VALUE }],
    ['country_codes', { country_codes: [] }],
  ])('refuse a %s out of range', async (_, over) => {
    expect(await refusalOf(list(over) as never)).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);
  });
});
