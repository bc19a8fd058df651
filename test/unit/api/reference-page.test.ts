import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';
import { buildDocument } from '../../../apps/api/src/openapi/build-document.js';
import { referencePage } from '../../../apps/api/src/openapi/reference/page.js';
import { inline } from '../../../apps/api/src/openapi/reference/prose.js';
import { API_ERRORS } from '../../../domain/errors/api-errors.js';

const document = await buildDocument(CONTROLLERS.flatMap(routesOf), {
  baseUrl: 'http://127.0.0.1:4000',
  headerPrefix: 'service',
});
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('The API reference page', () => {
  const page = referencePage(document);

  it('shows every call, error and model once, and has no broken link', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId } of operations) expect(ids).toContain(operationId);
    for (const code of Object.keys(API_ERRORS)) expect(ids).toContain(`error-${code}`);
    for (const name of Object.keys(document.components.schemas))
      expect(ids).toContain(`model-${name}`);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('has a sample of every call, and the remedy of every error', () => {
    const sectionOf = (id: string) =>
      page.slice(page.indexOf(` id="${id}"`)).split('</section>')[0] ?? '';
    const silent = operations
      .map(({ operationId = '' }) => operationId)
      .filter((id) => !/<h4>Request<\/h4><pre><code>curl /.test(sectionOf(id)));
    expect(silent).toEqual([]);
    for (const [code, { remedy }] of Object.entries(API_ERRORS)) {
      const [, entry = ''] = page.split(`<dt id="error-${code}">`);
      expect(entry.split('</dd>')[0]).toContain(`<p>${inline(remedy)}.</p>`);
    }
  });

  it('needs no script and loads nothing from another host', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|@import|url\(|\sstyle=/i);
    expect([...page.matchAll(/(?:href|src)="([^#"]+)"/g)].map(([, target]) => target)).toEqual([
      'compatibility/plaid',
      'openapi.json',
    ]);
  });
});
