import {
  ConsoleBrowser,
  startConsoleInProcess,
  type ConsoleInProcess,
} from './support/console-in-process.js';

/** Large beside what refills while a slow machine runs a test. */
const BURST = 40;
const LINKS = '/as/pocket-ledger/sandbox/links?limit=1';

let console: ConsoleInProcess;
let browser: ConsoleBrowser;
beforeAll(async () => {
  console = await startConsoleInProcess({ RATE_LIMIT_API: `1/s:${BURST}` });
  browser = await ConsoleBrowser.signedIn(console);
});
afterAll(() => console?.close());

describe('A page of the console that reads without pause', () => {
  it('is limited by itself, and leaves its app every call', async () => {
    const { api } = console.api;
    const token = await console.api.token('pocket-ledger');
    const statuses: number[] = [];
    for (let call = 0; call < 2 * BURST; call += 1)
      statuses.push((await browser.get(LINKS)).status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    for (let call = 0; call < BURST; call += 1)
      expect((await api.get('/links?limit=1', { token })).status).toBe(200);
  });
});
