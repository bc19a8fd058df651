import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from './support/run-demo.js';

const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run demo', () => {
  it('exits with a reason and its logs when the bank cannot be reached', async () => {
    const { code, output } = await runDemo(folder, { SANDBOX_BANK_URL: 'http://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(output).toMatch(/^The demo failed: /m);
    const [, logs = ''] = /^The logs are in (.+)$/m.exec(output) ?? [];
    expect(existsSync(join(logs, 'worker.log'))).toBe(true);
  });
});
