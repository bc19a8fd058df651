import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from '../../support/services/run-demo.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run demo', () => {
  it('narrates one link from key pair to verified webhooks and leaves nothing behind', async () => {
    const { code, output } = await runDemo(folder);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const calls = [...output.matchAll(/^ ?\d+ {2}.* {2,}((GET|POST) \S+|verified with .*)$/gm)].map(
      ([, call = '']) => call.replace(/mk_\w+/, '{id}'),
    );
    expect(calls).toEqual([
      'POST /auth/token',
      'POST /link-session',
      'POST /connect/api/session/open',
      'GET /connect/api/institutions?q=inst',
      'POST /connect/api/session/step',
      'POST /connect/api/session/finish',
      'POST /link-session/exchange-token',
      'GET /links/{id}',
      'GET …/accounts',
      'GET …/transactions?size=5',
      'GET …/transactions/sync?size=25',
      'verified with GET /.well-known/jwks.json',
    ]);
    expect(output).toMatch(/mk_\w{22} is connected/);
    expect(output).toContain('60 in the last 90 days');
    expect(output.match(/✓ /g)).toHaveLength(6);
    expect(output).not.toMatch(/_ls_|_xt_|\beyJ/);
    expect(readdirSync(folder).filter((name) => name.startsWith('tributary-demo-'))).toEqual([]);
  });
});
