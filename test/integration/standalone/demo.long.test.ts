import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from '../../support/services/run-demo.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run demo', () => {
  it('exits with a reason and its logs when the bank cannot be reached', async () => {
    const ofFailure = mkdtempSync(join(folder, 'failure-'));
    const { code, output } = await runDemo(ofFailure, { SANDBOX_BANK_URL: 'http://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(output).toMatch(/^The demo failed: /m);
    const [, logs = ''] = /^The logs are in (.+)$/m.exec(output) ?? [];
    expect(existsSync(join(logs, 'worker.log'))).toBe(true);
  });
});

describe('npm run demo -- --live-simulators', () => {
  let output: string;
  beforeAll(async () => {
    const ended = await runDemo(folder, { VENDOR_SIMULATORS_PORT: '0' }, ['--live-simulators']);
    output = ended.output;
    expect({ ...ended, output: ended.code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });

  it('leaves nothing behind', () => {
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
