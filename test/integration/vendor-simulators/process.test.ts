import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface ReadyLine {
  msg: string;
  vendor: string;
  url: string;
}

describe('The process of the vendor simulators', () => {
  let child: ChildProcess | undefined;
  afterEach(() => void child?.kill('SIGKILL'));

  const start = (env: Record<string, string>): ChildProcess => {
    child = spawn(process.execPath, ['dist/simulators/vendors/main.js'], {
      env: { PATH: process.env['PATH'], VENDOR_SIMULATORS_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return child;
  };

  it('starts every vendor over one ledger, writes a line for each, and stops on SIGTERM', async () => {
    const running = start({ VENDOR_SIMULATORS_NOW: '2026-11-25T10:00:00Z' });
    if (running.stdout === null) throw new Error('no output');
    const urls = new Map<string, string>();
    for await (const line of createInterface({ input: running.stdout })) {
      const { msg, vendor, url } = JSON.parse(line) as ReadyLine;
      expect(msg).toBe('vendor_simulator.listening');
      urls.set(vendor, url);
      if (urls.has('simplefin') && urls.has('enable-banking')) break;
    }
    const at = (vendor: string, path: string) => `${urls.get(vendor)}/simulator/${path}`;
    const body = JSON.stringify({ name: 'bank_down', params: { bank: 'meridian' } });
    await fetch(at('simplefin', 'script'), { method: 'POST', body });
    const ledger = (await (await fetch(at('enable-banking', 'ledger'))).json()) as {
      now: string;
      banks: { id: string; isDown: boolean }[];
    };
    expect(ledger.now).toBe('2026-11-25T10:00:00.000Z');
    expect(ledger.banks.filter(({ isDown }) => isDown).map(({ id }) => id)).toEqual(['meridian']);
    running.kill('SIGTERM');
    expect(await once(running, 'exit')).toEqual([0, null]);
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'do not start in production'],
    [{ VENDOR_SIMULATORS_PORT: 'many' }, 'VENDOR_SIMULATORS_PORT must be a port'],
    [{ VENDOR_SIMULATORS_NOW: 'soon' }, 'VENDOR_SIMULATORS_NOW must be an ISO 8601 moment'],
  ])('refuses to start with %j', async (env, reason) => {
    const refused = start(env);
    const words: string[] = [];
    refused.stderr?.setEncoding('utf8').on('data', (text: string) => void words.push(text));
    expect(await once(refused, 'close')).toEqual([1, null]);
    expect(words.join('')).toContain(reason);
  });
});
