import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm run demo -- --once` without npm. Its temporary data folder is made below ours. */
async function runDemo(env: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist/apps/standalone/src/demo.js'), '--once'], {
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => { output += chunk.toString('utf8'); });
  child.stderr.on('data', (chunk: Buffer) => { output += chunk.toString('utf8'); });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('npm run demo', () => {
  it('tells one link from key pair to verified webhooks, and leaves nothing behind', async () => {
    const { code, output } = await runDemo();
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const calls = [...output.matchAll(/^ ?\d+ {2}.* {2,}((GET|POST) \S+|verified with .*)$/gm)].map(([, call = '']) => call.replace(/mk_\w+/, '{id}'));
    expect(calls).toEqual([
      'POST /auth/token', 'POST /link-session', 'POST /connect/api/session/open', 'GET /connect/api/institutions?q=inst', 'POST /connect/api/session/step',
      'POST /connect/api/session/finish', 'POST /link-session/exchange-token', 'GET /links/{id}', 'GET …/accounts', 'GET …/transactions?size=5',
      'GET …/transactions/sync?size=25', 'verified with GET /.well-known/jwks.json',
    ]);
    expect(output).toMatch(/mk_\w{22} is connected/);
    expect(output).toContain('60 in the last 90 days');
    expect(output.match(/✓ /g)).toHaveLength(6);
    expect(output).not.toMatch(/_ls_|_xt_|eyJ/);
    expect(readdirSync(folder).filter((name) => name.startsWith('tributary-demo-'))).toEqual([]);
  }, 180_000);

  it('ends with a reason and its logs when the bank cannot be reached', async () => {
    const { code, output } = await runDemo({ SANDBOX_BANK_URL: 'http://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(output).toMatch(/^The demo failed: /m);
    const [, logs = ''] = /^The logs are in (.+)$/m.exec(output) ?? [];
    expect(existsSync(join(logs, 'worker.log'))).toBe(true);
  }, 240_000);
});
