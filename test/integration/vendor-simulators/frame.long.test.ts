import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const PATH = '/simplefin/nothing';

describe('The frame of a vendor simulator', () => {
  let simulator: TestSimulator;
  beforeAll(async () => {
    simulator = await startVendorSimulator('simplefin', { now: new Date('2026-11-25T10:00:00Z') });
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());
  const get = (init: RequestInit = {}) =>
    fetch(`${simulator.url}${PATH}`, { redirect: 'manual', ...init });

  it('records each request with its query and the names of its headers, by its own clock', async () => {
    await fetch(`${simulator.url}${PATH}?a=1`, { headers: { Authorization: 'Basic c2VjcmV0' } });
    const requests = await simulator.requests();
    expect(requests).toMatchObject([
      { method: 'GET', path: PATH, query: { a: '1' }, at: '2026-11-25T10:00:00.000Z' },
    ]);
    expect(requests[0]?.headerNames).toContain('authorization');
    expect(JSON.stringify(requests)).not.toContain('c2VjcmV0');
  });

  it('misbehaves as many times as ordered, only where the pattern fits', async () => {
    await simulator.script('status_500', { path: '/simplefin/*', times: 2 });
    expect((await fetch(`${simulator.url}/other`)).status).toBe(404);
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([
      500, 500, 404,
    ]);
    expect((await simulator.requests()).map(({ misbehavior }) => misbehavior)).toEqual([
      null,
      'status_500',
      'status_500',
      null,
    ]);
  });

  it.each([
    ['html_403', 403, 'text/html; charset=UTF-8'],
    ['status_429', 429, 'text/plain; charset=utf-8'],
    ['wrong_shape', 200, 'application/json; charset=utf-8'],
  ])('responds to %s with %i as %s', async (name, status, type) => {
    await simulator.script(name);
    const response = await get();
    expect({ status: response.status, contentType: response.headers.get('content-type') }).toEqual({
      status,
      contentType: type,
    });
  });

  it('redirects to the address that the test names', async () => {
    await simulator.script('redirect', { location: 'http://127.0.0.1:1/x' });
    expect((await get()).headers.get('location')).toBe('http://127.0.0.1:1/x');
  });

  it('breaks the connection of a refused call', async () => {
    await simulator.script('refuse');
    await expect(get()).rejects.toThrow('fetch failed');
  });

  it('never responds to a silent call, and never completes a slow one', async () => {
    await simulator.script('silent');
    await expect(get({ signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout');
    await simulator.script('slow');
    const slow = await get({ signal: AbortSignal.timeout(500) });
    expect(slow.status).toBe(200);
    await expect(slow.text()).rejects.toThrow('timeout');
  });

  it('sends more than 20 MB, and truncated JSON', async () => {
    await simulator.script('huge');
    expect((await (await get()).arrayBuffer()).byteLength).toBeGreaterThan(20 * 1024 * 1024);
    await simulator.script('broken_json');
    await expect((await get()).json()).rejects.toThrow(SyntaxError);
  });

  it('sets, moves and frees its clock', async () => {
    await simulator.setTime(new Date('2027-01-01T00:00:00Z'));
    await simulator.advance(90);
    expect((await simulator.ledger()).now).toBe('2027-01-01T00:01:30.000Z');
    await simulator.setTime(null);
    expect(Math.abs(Date.parse((await simulator.ledger()).now) - Date.now())).toBeLessThan(60_000);
  });

  it('refuses a wrong order with its reason', async () => {
    await expect(simulator.script('rob_bank')).rejects.toThrow('There is no script');
    await expect(simulator.script('silent', { times: 0 })).rejects.toThrow('times');
  });
});
