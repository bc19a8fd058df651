import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from './support/run-demo.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run demo -- --live-simulators', () => {
  let output: string;
  beforeAll(async () => {
    const ended = await runDemo(folder, { VENDOR_SIMULATORS_PORT: '0' }, ['--live-simulators']);
    output = ended.output;
    expect({ ...ended, output: ended.code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });

  it('narrates one link from key pair to verified webhooks and leaves nothing behind', () => {
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

  it('links an account through each adapter for real banks, reads it and explains the route', () => {
    const [, ...links] = output.split(/^ ?\d+ {2}A user links /m);
    const shown = links.map((link) => ({
      institution: /^(.+?) {2}/.exec(link)?.[1],
      accounts: link.match(/ {2}depository\.checking +\d+\.\d\d {2}[A-Z]{3}$/gm)?.length,
      rows: Number(/^ +(\d+) in the last 90 days$/m.exec(link)?.[1]) > 0,
      explained: /links explain mk_\w{22}\n.* first login at [\w-]+: ([\w-]+)\n/.exec(link)?.[1],
      routes: link.match(/^ +[\w-]+-simulator +(?:chosen|possible) +[A-Z].*\.$/gm)?.length,
    }));
    const linked = { accounts: 1, rows: true };
    expect(shown).toEqual([
      {
        ...linked,
        institution: 'SimpleFIN Bridge',
        explained: 'simplefin-simulator',
        routes: 1,
      },
      {
        ...linked,
        institution: 'Meridian Bank',
        explained: 'enable-banking-simulator',
        routes: 2,
      },
      { ...linked, institution: 'Harbour Federal Bank', explained: 'fdx-simulator', routes: 1 },
    ]);
  });
});
