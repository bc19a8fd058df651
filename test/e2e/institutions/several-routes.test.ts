// cspell:ignore lonley
import { COUNTRIES } from '../../../domain/institutions/countries.js';
import { CatalogRepository } from '../../../prisma/sources/catalog/catalog.repository.js';
import { listedInstitution } from '../../support/fixtures/listed-institution.js';
import { errorOf } from '../../support/services/api-client.js';
import { openSession } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile();
beforeAll(async () => {
  const catalog = new CatalogRepository(service.ctx);
  const lists = {
    pages: [
      ...COUNTRIES.map((country) =>
        listedInstitution({
          remoteId: country,
          name: `Country ${country}`,
          country,
          login: 'page',
        }),
      ),
      listedInstitution({ remoteId: 'both', name: 'Both Ways', bic: 'BOTHDKKK' }),
    ],
    forms: [
      listedInstitution({ remoteId: 'b', name: 'Both Ways', bic: 'BOTHDKKK', login: 'form' }),
    ],
  };
  for (const [provider, entries] of Object.entries(lists))
    await catalog.switchTo({ provider, environment: 'sandbox', entries, acceptLosses: false });
});

interface Page {
  institutions: { institution_id: string; country: string }[];
  cursors: { next: string | null };
}

/** Every institution called "Country …", in pages of four, and the sizes of the pages. */
async function listed(version?: string) {
  const headers: Record<string, string> =
    version === undefined ? {} : { 'service-version': version };
  const countries: string[] = [];
  const sizes: number[] = [];
  for (let next: string | null = ''; next !== null;) {
    const { body } = await service.api
      .as(token)
      .get(`/institutions?name=Country&limit=4&cursor=${next}`, { headers });
    const page = body as Page;
    countries.push(...page.institutions.map(({ country }) => country));
    sizes.push(page.institutions.length);
    next = page.cursors.next;
  }
  return { countries: countries.sort(), sizes };
}

describe('GET /institutions', () => {
  it('lists US, GB and CA in the version of 2023-02-18, in full pages', async () => {
    expect(await listed('2023-02-18')).toEqual({ countries: ['CA', 'GB', 'US'], sizes: [3] });
  });

  it.each([undefined, '2026-11-25'])(
    'lists all countries since the version of 2026-11-25 (header %s)',
    async (version) => {
      const { countries, sizes } = await listed(version);
      expect(countries).toEqual([...COUNTRIES].sort());
      expect(sizes.slice(0, -1)).toEqual(sizes.slice(0, -1).map(() => 4));
    },
  );

  it('shows an institution of any country by its id in every version', async () => {
    expect((await service.api.as(token).get('/institutions/country-is-is')).body).toMatchObject({
      country: 'IS',
    });
  });
});

describe('A link session', () => {
  const create = (fields: Record<string, unknown>) =>
    service.api.as(token).post('/link-session', {
      json: { customer_user: { id: 'user-1' }, ...fields },
    });

  it('accepts every country', async () => {
    expect((await create({ settings: { countries: [...COUNTRIES] } })).status).toBe(201);
    expect(errorOf(await create({ settings: { countries: ['CH'] } }))).toMatchObject({
      status: 422,
    });
  });

  it.each([
    ['redirect and by a form', 'both-ways-dk', 201],
    ['a page alone', 'country-dk-dk', 422],
  ])('without a redirect_uri at an institution reached by %s', async (_how, id, status) => {
    const settings = { countries: ['DK'] };
    const response = await create({ institution_id: id, settings });
    expect(response.status).toBe(status);
    if (status === 422) expect(response.text).toContain('redirect_uri');
    expect(
      (await create({ institution_id: id, settings, redirect_uri: 'https://app.example/return' }))
        .status,
    ).toBe(201);
  });
});

describe('An institution whose only configuration', () => {
  const ONLY = 'lonely-bank-us';
  const configuration = () => service.database.prisma.providerConfiguration;
  const set = (data: { enabled?: boolean; broken?: boolean; environment?: string }) => () =>
    configuration().update({ where: { name: 'alone' }, data });
  const limit = (provider: string) => () =>
    service.database.prisma.appProvider.create({
      data: { appId: 'pocket-ledger', provider, position: 0 },
    });
  beforeAll(async () => {
    await configuration().create({
      data: { name: 'alone', adapter: 'simplefin', environment: 'sandbox', settings: {} },
    });
    await new CatalogRepository(service.ctx).switchTo({
      provider: 'alone',
      environment: 'sandbox',
      entries: [
        listedInstitution({ remoteId: 'l', name: 'Lonely Bank', country: 'US', login: 'form' }),
      ],
      acceptLosses: false,
    });
  });
  afterEach(async () => {
    await service.database.prisma.appProvider.deleteMany();
    await configuration().update({
      where: { name: 'alone' },
      data: { enabled: true, broken: false, environment: 'sandbox' },
    });
  });

  /** The places where the app is offered the institution. */
  async function offered() {
    const { connectToken } = await openSession(service, token);
    const connect = service.api.as(connectToken);
    const names = async (query: string) => {
      const { body } = await connect.get(
        `/connect/api/institutions?country=US&limit=50&q=${query}`,
      );
      return (body as Page).institutions.map(({ institution_id: id }) => id);
    };
    const listed = await service.api.as(token).get('/institutions?name=Lonely');
    const created = await service.api.as(token).post('/link-session', {
      json: { customer_user: { id: 'user-1' }, institution_id: ONLY },
    });
    return {
      'before typing': (await names('')).includes(ONLY),
      typed: (await names('lonely')).includes(ONLY),
      'typed wrong': (await names('lonley bank')).includes(ONLY),
      listed: (listed.body as Page).institutions.length === 1,
      'as institution_id': created.status,
    };
  }
  const everywhere = (yes: boolean) => ({
    'before typing': yes,
    typed: yes,
    'typed wrong': yes,
    listed: yes,
    'as institution_id': yes ? 201 : 422,
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is usable', () => Promise.resolve()],
    ['is the one the app is limited to', limit('alone')],
  ])('%s is offered', async (_what, prepare) => {
    await prepare();
    expect(await offered()).toEqual(everywhere(true));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is disabled', set({ enabled: false })],
    ['has refused keys', set({ broken: true })],
    ['belongs to the other environment', set({ environment: 'live' })],
    ['is none the app may use', limit('forms')],
  ])('%s is not offered, but is found by its id', async (_what, prepare) => {
    await prepare();
    expect(await offered()).toEqual(everywhere(false));
    expect((await service.api.as(token).get(`/institutions/${ONLY}`)).status).toBe(200);
  });
});
