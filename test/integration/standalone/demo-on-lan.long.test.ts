import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectVisit } from '../../../apps/standalone/src/demo/connect-visit.js';
import { startDemo, type RunningDemo } from '../../support/services/run-demo.js';

/** Stands in for a LAN address, but only this computer can reach it. */
const ADDRESS = '127.0.0.2';
const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run demo -- --lan', () => {
  let demo: RunningDemo;
  let connect: string;
  let backEnd: string;
  beforeAll(async () => {
    demo = startDemo(folder, {}, ['--lan', '--address', ADDRESS]);
    await demo.untilItSays('npx expo start');
    const command = /EXPO_PUBLIC_CONNECT_BASE_URL=(\S+) EXPO_PUBLIC_BACK_END_URL=(\S+) npx expo/;
    [, connect = '', backEnd = ''] = command.exec(demo.output()) ?? [];
  });
  afterAll(() => demo.stop());

  const post = async <Answer>(path: string, body: object, session = ''): Promise<Answer> => {
    const response = await fetch(backEnd + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session}` },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Answer;
  };

  it('offers no page to a browser, since a bank may redirect over http to this computer only', () => {
    expect(demo.output()).not.toContain('Link banks by hand in the sample app');
  });

  it('warns, before anything is started, that it can be reached from the network', () => {
    const [before = ''] = demo.output().split('Starting');
    expect(before).toContain(`everyone in the network of ${ADDRESS} reaches the service`);
  });

  it('verifies webhooks that it receives at the address', () => {
    expect(demo.output()).toMatch(new RegExp(`webhooks to http://${ADDRESS}:\\d+/webhooks`));
    expect(demo.output()).toContain('verified with GET /.well-known/jwks.json');
  });

  it('serves Connect, the back end and the pages of the bank to a phone at the address', async () => {
    expect([connect, backEnd].map((each) => new URL(each).hostname)).toEqual([ADDRESS, ADDRESS]);
    expect((await fetch(`${connect}/start`)).status).toBe(200);

    const { session } = await post<{ session: string }>('/api/sign-in', {});
    const redirectUri = `exp://${ADDRESS}:8081/--/bank-return`;
    const { linkSessionToken } = await post<{ linkSessionToken: string }>(
      '/api/session',
      { redirectUri },
      session,
    );
    const visit = await ConnectVisit.open(`${connect}/api`, linkSessionToken);
    await visit.answer({ kind: 'select_institution', institution_id: 'sandbox-oauth-bank' });
    let bank = '';
    const leave = visit.goToBank((address) => {
      bank = address;
      return Promise.reject(new Error('enough'));
    });
    await expect(leave).rejects.toThrow('enough');
    expect(new URL(bank).hostname).toBe(ADDRESS);
    // Follows the redirect to its login page, which needs the cookie of this response.
    expect((await fetch(bank, { redirect: 'manual' })).status).toBe(303);
  });

  it('opens none of these ports on another address', async () => {
    for (const { port } of [connect, backEnd].map((each) => new URL(each)))
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  });

  it('deletes its folder when it is stopped', async () => {
    expect(await demo.stop()).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('tributary-demo-'))).toEqual([]);
  });
});
