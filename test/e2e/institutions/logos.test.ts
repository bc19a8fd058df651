import { createHash } from 'node:crypto';
import { CatalogRepository } from '../../../prisma/sources/catalog/catalog.repository.js';
import { LogoRepository } from '../../../prisma/sources/institutions/logo.repository.js';
import { SANDBOX_LOGOS } from '../../../providers/sandbox/data/sandbox-logos.js';
import { listedInstitution } from '../../support/fixtures/listed-institution.js';
import { openSession } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile();

const PICTURE = Buffer.from(SANDBOX_LOGOS['sandbox-oauth-bank'] ?? '', 'base64');
const OTHER = Buffer.from(SANDBOX_LOGOS['sandbox-instant-bank'] ?? '', 'base64');
const digestOf = (picture: Buffer) => createHash('sha256').update(picture).digest('hex');
const SOURCE = 'https://cdn.example/logo.png';

let logos: LogoRepository;
const sync = (over: Parameters<typeof listedInstitution>[0]) =>
  new CatalogRepository(service.ctx).switchTo({
    provider: 'pages',
    environment: 'sandbox',
    entries: [
      listedInstitution({ remoteId: 'a', name: 'Logo Bank', logoUrl: SOURCE, ...over }),
      listedInstitution({ remoteId: 'b', name: 'Plain Bank' }),
    ],
    acceptLosses: true,
  });
beforeAll(async () => {
  logos = new LogoRepository(service.ctx);
  await sync({});
});

/** The addresses of logos in a session's search. */
async function shown(): Promise<Record<string, string | null>> {
  const { connectToken } = await openSession(service, token, {
    redirect_uri: 'https://app.example/bank-return',
    settings: { products: ['transactions'], countries: ['DK'] },
  });
  const { body } = await service.api
    .as(connectToken)
    .get('/connect/api/institutions?q=bank&limit=50');
  const { institutions } = body as { institutions: { name: string; logo_url: string | null }[] };
  return Object.fromEntries(institutions.map(({ name, logo_url: logo }) => [name, logo]));
}
const addressOf = (picture: Buffer) =>
  `http://127.0.0.1:4000/connect/logos/${digestOf(picture)}.png`;
const read = (path: string, init: RequestInit = {}) => fetch(`${service.api.baseUrl}${path}`, init);

describe('The logo of an institution', () => {
  it('is null until the service has a copy, and then an address of the service, never that of the source', async () => {
    expect(await shown()).toEqual({ 'Logo Bank': null, 'Plain Bank': null });
    expect(await logos.due('pages', 10)).toEqual([SOURCE]);
    await logos.keep(SOURCE, PICTURE);
    await logos.assign();
    expect(await shown()).toEqual({ 'Logo Bank': addressOf(PICTURE), 'Plain Bank': null });
    expect(await logos.due('pages', 10)).toEqual([]);
  });

  it('stays when its source has no usable one later, and its address changes with it', async () => {
    await logos.keep(SOURCE, null);
    await logos.assign();
    expect(await shown()).toMatchObject({ 'Logo Bank': addressOf(PICTURE) });
    await logos.keep(SOURCE, OTHER);
    await logos.assign();
    expect(await shown()).toMatchObject({ 'Logo Bank': addressOf(OTHER) });
    await logos.keep(SOURCE, PICTURE);
    await logos.assign();
  });

  it('goes with the address in the list', async () => {
    await sync({ logoUrl: null });
    await logos.assign();
    expect(await shown()).toMatchObject({ 'Logo Bank': null });
    await sync({});
    await logos.assign();
    expect(await shown()).toMatchObject({ 'Logo Bank': addressOf(PICTURE) });
  });

  it('is served publicly, for ever, as a picture that nothing can be run in', async () => {
    const path = `/connect/logos/${digestOf(PICTURE)}.png`;
    const response = await read(path);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURE);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const tag = response.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect((await read(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await read(path, { method: 'HEAD' })).status).toBe(200);
    expect((await read(path, { method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['an unknown digest', `${'0'.repeat(64)}.png`],
    ['another name', 'logo.png'],
    ['a path', '..%2F..%2Fmain.png'],
  ])('is not found for %s', async (_, name) => {
    expect((await read(`/connect/logos/${name}`)).status).toBe(404);
  });

  it('is the avatar of the institution, where one without a logo has its initials', async () => {
    const { body } = await service.api.as(token).get('/institutions?name=&country=DK&limit=50');
    const { institutions } = body as { institutions: { institution_id: string; name: string }[] };
    const avatarOf = async (name: string) => {
      const { institution_id: id } = institutions.find((one) => one.name === name) ?? {};
      return (await read(`/institutions/${id}/avatar.svg`)).text();
    };
    expect(await avatarOf('Logo Bank')).toContain(PICTURE.toString('base64'));
    expect(await avatarOf('Plain Bank')).toContain('>PB</text>');
  });

  it('that no institution has is deleted after a month', async () => {
    await service.ctx.database.pool.query(
      "INSERT INTO institution_logos (address, digest, picture, checked_at) VALUES ('https://gone.example/a', 'aa', '', $1), ('https://gone.example/b', 'bb', '', $2)",
      [new Date(Date.now() - 31 * 86_400_000), new Date()],
    );
    await logos.assign();
    const { rows } = await service.ctx.database.pool.query(
      "SELECT address FROM institution_logos WHERE address LIKE 'https://gone%'",
    );
    expect(rows).toEqual([{ address: 'https://gone.example/b' }]);
  });
});
