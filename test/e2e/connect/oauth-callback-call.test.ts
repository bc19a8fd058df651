import {
  callback,
  changesNothing,
  ISSUER,
  resume,
  service,
  startOAuthCalls,
  Visit,
} from './support/oauth-calls.js';

startOAuthCalls();

describe('GET /connect/oauth/callback', () => {
  /** At the bank. No refusal changes its session. */
  let waiting: Visit;
  beforeAll(async () => {
    waiting = await Visit.started();
  });

  it('redirects to the app once, with the state id as the only parameter', async () => {
    const visit = await Visit.started();
    const response = await callback(visit.approval());
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(
      /^https:\/\/app\.example\/bank-return\?oauth_state_id=[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).toBe('');
    expect((await callback(visit.approval())).status).toBe(400);
  });

  it.each<[string, Record<string, string | null>]>([
    ['a refusal at the bank', { code: null, error: 'access_denied', error_description: 'canary' }],
    ['unknown parameters', { session_state: 'x' }],
  ])('redirects in the same way after %s', async (_, changes) => {
    const visit = await Visit.started();
    const response = await callback(visit.approval(changes));
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/\?oauth_state_id=[0-9a-f-]{36}$/);
  });

  it.each<[string, string]>([
    ['an app of its own scheme', 'pocketledger://return'],
    ['an app in development', 'exp://192.168.0.7:8081/--/return'],
    ['an address in another script', 'https://app.example/rückkehr'],
  ])('redirects to %s', async (_, uri) => {
    const visit = await Visit.started({ redirect_uri: uri });
    const location = (await callback(visit.approval())).headers.get('location') ?? '';
    expect(decodeURI(location).split('?')[0]).toBe(uri);
    expect(await resume(location)).toMatchObject({ status: 200 });
  });

  it.each<[string, (visit: Visit) => URLSearchParams | string]>([
    ['an empty query', () => ''],
    ['an unknown state', (visit) => visit.approval({ state: 'unknown' })],
    ['a missing state', (visit) => visit.approval({ state: null })],
    ['two states', (visit) => `${visit.approval()}&state=x`],
    ['another issuer', (visit) => visit.approval({ iss: 'https://evil.example' })],
    ['a missing issuer', (visit) => visit.approval({ iss: null })],
    ['two issuers', (visit) => `${visit.approval()}&iss=${ISSUER}`],
    ['two codes', (visit) => `${visit.approval()}&code=x`],
    ['a code and an error', (visit) => visit.approval({ error: 'access_denied' })],
    ['a missing code and error', (visit) => visit.approval({ code: null })],
    ['broken encoding', () => 'state=%E0%A4%A&code=%'],
  ])('asks the user to return to the app on %s, and changes nothing', async (_, forge) => {
    const response = await changesNothing(() => callback(forge(waiting)));
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    const page = await response.text();
    expect(page).toContain('<h1>Please return to the app</h1>');
    expect(page).not.toContain('canary');
  });

  it('shows an accessible page that can run no script', async () => {
    const { headers, ...response } = await callback('state=x&code=x', {
      headers: { 'accept-language': 'tlh, ar;q=0.8' },
    }).then(async (given) => ({ headers: given.headers, page: await given.text() }));
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(response.page).toContain('<html lang="ar" dir="rtl">');
    expect(response.page).toMatch(/<main>\n<h1>[^<]+<\/h1>/);
    expect(response.page).not.toMatch(/<script|style="|\son\w+=/i);
  });

  it.each([
    ['', 'en'],
    ['de-AT,de;q=0.9', 'de'],
    ['fr', 'fr'],
    ['es-MX', 'es'],
    ['xx', 'en'],
    ['constructor', 'en'],
  ])('shows the page for Accept-Language %j in %s', async (asked, language) => {
    const response = await callback('', { headers: { 'accept-language': asked } });
    expect(await response.text()).toContain(`<html lang="${language}" dir="ltr">`);
  });

  it('is not used up by a HEAD request, and refuses other methods', async () => {
    expect(
      (await changesNothing(() => callback(waiting.approval(), { method: 'HEAD' }))).status,
    ).toBe(400);
    expect(
      (await changesNothing(() => callback(waiting.approval(), { method: 'POST' }))).status,
    ).toBe(405);
  });

  it('accepts the return of a user after all of the refusals above', async () => {
    expect((await callback(waiting.approval())).status).toBe(303);
  });

  it('is refused when the redirect attempt or the session expired', async () => {
    const [late, over] = [await Visit.started(), await Visit.started()];
    await service.database.prisma.oAuthState.updateMany({
      where: { sessionId: late.session.sessionId },
      data: { expiresAt: new Date() },
    });
    await service.database.prisma.linkSession.update({
      where: { sessionId: over.session.sessionId },
      data: { expiresAt: new Date() },
    });
    for (const visit of [late, over])
      expect((await changesNothing(() => callback(visit.approval()))).status).toBe(400);
  });
});
