import { PLAID_ERROR_TYPES } from '../../domain/plaid/errors.js';
import { PLAID_WEBHOOK_NAMES } from '../../domain/plaid/webhooks.js';
import { PLAID_PATHS } from '../../apps/api/src/plaid/plaid-paths.js';
import { startApiInProcess, type ApiInProcess } from '../support/services/api-in-process.js';
import { failureOf, plaidOf } from '../support/actors/plaid-client.js';

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess();
});
afterAll(() => service?.close());

describe('/compatibility/plaid', () => {
  it('needs no key, and lists every supported call, webhook and error code', async () => {
    const { status, headers, text } = await service.api.get('/compatibility/plaid');
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
    });
    for (const path of PLAID_PATHS) expect(text).toContain(`<code>${path}</code>`);
    for (const name of PLAID_WEBHOOK_NAMES)
      expect(text).toContain(`<code>${name.replace('.', ' / ')}</code>`);
    for (const code of Object.values(PLAID_ERROR_TYPES).flatMap(({ codes }) => Object.keys(codes)))
      expect(text).toContain(`id="${code}"`);
    expect(text.match(/<li>/g)?.length).toBeGreaterThan(14);
    // The text is for humans: nothing in it is URL-encoded.
    expect(text).not.toContain('%20');
  });

  it('is the documentation_url of an error', async () => {
    const { data } = await failureOf(plaidOf(service).itemGet({ access_token: 'nonsense' }));
    const { documentation_url: address } = data as { documentation_url?: string };
    expect(new URL(address ?? '').pathname).toBe('/compatibility/plaid');
    expect((await service.api.get('/compatibility/plaid')).text).toContain(
      `id="${new URL(address ?? '').hash.slice(1)}"`,
    );
  });

  it('is linked from the documentation of the service', async () => {
    expect((await service.api.get('/docs')).text).toContain('href="compatibility/plaid"');
  });
});
