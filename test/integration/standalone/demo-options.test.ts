import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { representatives } from '../../support/runner/representatives.js';
import { runDemo } from '../../support/services/run-demo.js';

const ADDRESS = '127.0.0.2';
const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// demo-on-lan.long.test.ts starts one in the network.
describe('npm run demo', () => {
  const REFUSED: readonly [args: string[], reason: string][] = [
    [['--lan', '--address', '203.0.113.9'], '203.0.113.9 is not an IPv4 address of this computer'],
    [['--lan', '--address', '0.0.0.0'], '0.0.0.0 is not an IPv4 address of this computer'],
    [['--lan', '--address', 'phone.local'], 'phone.local is not an IPv4 address of this computer'],
    [['--address', ADDRESS], '--address needs --lan.'],
    [['--lan', '--live-simulators'], '--lan does not go with --live-simulators.'],
    [['--land'], "Unknown option '--land'"],
  ];
  // One that reads the addresses of the computer, and one that reads the options alone.
  const processes = representatives(
    REFUSED,
    ([[first, , third]]) => first === '--land' || third === '203.0.113.9',
  );
  it.each(processes)('refuses %j', async (args, reason) => {
    const { code, output } = await runDemo(folder, {}, args);
    expect(code).toBe(1);
    expect(output).toContain(reason);
    expect(output).not.toContain('Starting');
  });
});
