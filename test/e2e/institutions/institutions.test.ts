import { InstitutionRepository } from '../../../prisma/sources/institutions/institution.repository.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile();

async function get<T>(path: string, bearer = token): Promise<T> {
  const response = await service.api.as(bearer).get(path);
  if (response.status !== 200)
    throw new Error(`${path} returned ${response.status}: ${response.text}`);
  return response.body as T;
}

describe('GET /institutions', () => {
  beforeAll(async () => {
    const entry = (institutionId: string, name: string, isFeatured = false) => ({
      institutionId,
      remoteId: institutionId,
      name,
      country: 'US',
      domain: null,
      color: null,
      colorDark: null,
      isFeatured,
      environment: 'sandbox' as const,
      login: 'none' as const,
      products: ['accounts'] as const,
      aliases: [`alias-of-${institutionId}`],
    });
    await new InstitutionRepository(service.ctx).syncCatalog('other', [
      entry('first-example', 'First Example Bank', true),
      entry('first-national', 'FIRST National'),
      entry('percent', '100% Bank'),
      entry('under', 'Bank_One'),
    ]);
  });

  interface Page {
    institutions: { institution_id: string }[];
    cursors: { next: string | null };
  }
  const ids = async (query: string, bearer = token) =>
    (await get<Page>(`/institutions?${query}`, bearer)).institutions.map(
      ({ institution_id: id }) => id,
    );

  it('returns institutions with all their fields', async () => {
    const shown = {
      institution_id: 'first-example',
      institution_id_aliases: ['alias-of-first-example'],
      name: 'First Example Bank',
      country: 'US',
      domain: null,
      color: null,
      color_dark: null,
      is_featured: true,
    };
    expect(await get('/institutions/first-example')).toEqual(shown);
    expect(await get('/institutions/alias-of-first-example')).toEqual(shown);
    expect((await get<Page>('/institutions?name=First%20Example')).institutions).toEqual([shown]);
  });

  it.each([
    ['name=first', ['first-example', 'first-national']],
    ['name=First%20National', ['first-national']],
    ['name=national', []],
    ['name=first&featured=true', ['first-example']],
    ['name=first&featured=false', ['first-example', 'first-national']],
    ['name=100%25', ['percent']],
    ['name=%25', []],
    ['name=bank_', ['under']],
    ['name=bank-', []],
  ])('finds institutions by %s', async (query, found) => {
    expect(await ids(query)).toEqual(found);
  });

  it('returns every institution once, page by page', async () => {
    const all = await ids('limit=1000');
    const paged: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page: Page = await get<Page>(`/institutions?limit=2&cursor=${next}`);
      expect(page.institutions.length).toBeLessThanOrEqual(2);
      paged.push(...page.institutions.map(({ institution_id: id }) => id));
      next = page.cursors.next;
    }
    expect(paged).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });

  it('returns the institutions of the environment', async () => {
    expect(await ids('', await service.token('pocket-ledger', 'live'))).toEqual(['live-bank']);
    expect(await ids('')).not.toContain('live-bank');
  });
});
