import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoginOutcome, Provider } from '../../../providers/contract/provider.js';
import { createSimplefinProvider } from '../../../providers/simplefin/simplefin-adapter.js';
import { SIMPLEFIN_SETTINGS } from '../../../providers/simplefin/settings.js';
import { hostileSetupTokens } from '../../support/fixtures/hostile-setup-tokens.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';
import {
  createSetupToken,
  linkAtSimplefin,
  setupTokenFor,
  simplefinAt,
  submitToken,
} from '../../support/fixtures/simplefin-server.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const context = () => loginContext({ remoteId: 'us' });
const bridge = (resolve: jest.Mock): Provider =>
  createSimplefinProvider(
    {
      adapter: 'simplefin',
      name: 'simplefin',
      environment: 'live',
      settings: SIMPLEFIN_SETTINGS.public.parse({}),
      secrets: {},
    },
    { resolve },
  );
const refusedForm = (code: RegExp) => ({
  kind: 'step',
  step: { kind: 'form' },
  error: { code: expect.stringMatching(code) as string },
});

describe('A setup token entered by a stranger', () => {
  let server: Server;
  let connections = 0;
  let local: string;
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('https://u:p@bridge/'));
    server.on('connection', () => (connections += 1));
    server.listen(0);
    await once(server, 'listening');
    local = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  beforeEach(() => (connections = 0));

  it('is refused in all hostile forms before a name is looked up or a connection is made', async () => {
    const resolve = jest.fn();
    const provider = bridge(resolve);
    for (const [what, token] of hostileSetupTokens(local)) {
      const outcome = await submitToken(provider, context(), token);
      expect({ what, outcome }).toMatchObject({
        what,
        outcome: refusedForm(/^setup_token_(unreadable|not_allowed)$/),
      });
    }
    expect(resolve).not.toHaveBeenCalled();
    expect(connections).toBe(0);
  });

  it.each([
    ['this machine', ['127.0.0.1']],
    ['cloud metadata', ['169.254.169.254']],
    ['a private network beside a public address', ['93.184.216.34', '10.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['IPv4 loopback inside IPv6', ['::ffff:127.0.0.1']],
    ['no address', []],
  ])('makes no connection when an allowed host resolves to %s', async (_what, addresses) => {
    const resolve = jest.fn(
      (
        _host: string,
        callback: (error: null, found: { address: string; family: number }[]) => void,
      ) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
    );
    const token = setupTokenFor('https://bridge.simplefin.org/simplefin/claim/A');
    await expect(submitToken(bridge(resolve), context(), token)).rejects.toMatchObject({
      name: 'ProviderFailure',
      providerCause: 'internal',
      message: expect.stringContaining('ADDRESS_REFUSED') as string,
    });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(connections).toBe(0);
  });
});

describe('A SimpleFIN login', () => {
  let simulator: TestSimulator;
  let provider: Provider;
  beforeAll(async () => {
    simulator = await startVendorSimulator('simplefin');
    provider = simplefinAt(simulator.url);
  });
  afterAll(() => simulator.close());
  beforeEach(() => simulator.reset());

  const claims = async () =>
    (await simulator.requests()).filter(({ path }) => path.includes('/claim/'));
  const newToken = () => createSetupToken(simulator.url, 'trial');

  it('requests a setup token without a call, and explains where to create one', async () => {
    expect(await provider.begin(context())).toMatchObject({
      kind: 'step',
      step: {
        kind: 'form',
        fields: [{ name: 'setup_token', required: true, secret: true }],
        help_url: `${simulator.url}/simplefin/create`,
      },
      error: null,
    });
    expect(await simulator.requests()).toEqual([]);
  });

  it('claims a token once and keeps the result under a reference that reveals nothing', async () => {
    const outcome = await linkAtSimplefin(provider, context(), { origin: simulator.url });
    const accessUrl = new TextDecoder().decode(outcome.credential);
    const { username, password } = new URL(accessUrl);
    expect(await claims()).toMatchObject([{ method: 'POST' }]);
    expect(outcome.consent).toBe('ask');
    expect(outcome.reference).toMatch(/^[\w-]{43}$/);
    for (const secret of [username, password]) expect(outcome.reference).not.toContain(secret);
    expect((await provider.fetchAccounts(accessWith(outcome, 'us'))).accounts).not.toHaveLength(0);
  });

  it('shows the form again for a used token, and warns that it may be compromised', async () => {
    const token = await newToken();
    await submitToken(provider, context(), token);
    const again: LoginOutcome = await submitToken(provider, context(), token);
    expect(again).toMatchObject(refusedForm(/^setup_token_refused$/));
    expect(again).toMatchObject({
      error: { text: expect.stringContaining('someone else may have: disable it') },
    });
    expect(await claims()).toHaveLength(2);
  });

  /** The tokens that one session has used up, over all of its attempts. */
  const session = () => {
    const used = new Set<string>();
    return loginContext({
      remoteId: 'us',
      usedTokens: {
        add: (token) => Promise.resolve(void used.add(token)),
        includes: (token) => Promise.resolve(used.has(token)),
      },
    });
  };

  it('explains that this session itself used the token before, and warns of no stranger', async () => {
    const [visit, token] = [session(), await newToken()];
    expect((await submitToken(provider, visit, token)).kind).toBe('linked');
    for (let again = 0; again < 2; again += 1) {
      const outcome = await submitToken(provider, visit, token);
      expect(outcome).toMatchObject(refusedForm(/^setup_token_used_here$/));
      expect(outcome).not.toMatchObject({
        error: { text: expect.stringContaining('someone else') },
      });
    }
    expect(await submitToken(provider, session(), token)).toMatchObject(
      refusedForm(/^setup_token_refused$/),
    );
  });

  it('warns each time of a token that this session never used itself', async () => {
    const [visit, unknown] = [session(), setupTokenFor(`${simulator.url}/simplefin/claim/NONE`)];
    for (let again = 0; again < 3; again += 1)
      expect(await submitToken(provider, visit, unknown)).toMatchObject(
        refusedForm(/^setup_token_refused$/),
      );
  });

  it('explains that the response of its own claim was lost', async () => {
    let claimed = 0;
    const losing = createServer((_request, response) => {
      claimed += 1;
      if (claimed === 1) response.destroy();
      else response.writeHead(403).end('Forbidden');
    }).listen(0, '127.0.0.1');
    await once(losing, 'listening');
    const origin = `http://127.0.0.1:${(losing.address() as AddressInfo).port}`;
    const token = setupTokenFor(`${origin}/simplefin/claim/A`);
    const [visit, lossy] = [session(), simplefinAt(origin)];
    await expect(submitToken(lossy, visit, token)).rejects.toMatchObject({
      providerCause: 'provider_down',
    });
    expect(await submitToken(lossy, visit, token)).toMatchObject(
      refusedForm(/^setup_token_used_here$/),
    );
    losing.close();
  });

  it('accepts a new token after a refused one', async () => {
    await submitToken(provider, context(), setupTokenFor(`${simulator.url}/simplefin/claim/NONE`));
    expect((await submitToken(provider, context(), await newToken())).kind).toBe('linked');
  });

  it.each([
    ['html_403', 'provider_down'],
    ['status_500', 'provider_down'],
    ['status_429', 'rate_limited'],
    ['redirect', 'malformed'],
    ['broken_json', 'malformed'],
    ['refuse', 'provider_down'],
  ])('claims once when the server returns %s, and reports %s', async (name, cause) => {
    const token = await newToken();
    await simulator.script(name, { path: '/simplefin/claim/*', location: '/simplefin/info' });
    await expect(submitToken(provider, context(), token)).rejects.toMatchObject({
      name: 'ProviderFailure',
      providerCause: cause,
    });
    expect(await simulator.requests()).toHaveLength(1);
  });

  it('refuses an access URL at another host, and never calls it', async () => {
    let asked = 0;
    const elsewhere = createServer((_request, response) => {
      asked += 1;
      response.end('https://user:password@evil.example/simplefin\n');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const login = submitToken(
      simplefinAt(origin),
      context(),
      setupTokenFor(`${origin}/simplefin/claim/A`),
    );
    await expect(login).rejects.toMatchObject({ providerCause: 'institution_down' });
    await expect(login).rejects.not.toThrow(/password|evil/);
    expect(asked).toBe(1);
    elsewhere.close();
  });
});

describe('The check of a SimpleFIN configuration', () => {
  it('reports the protocol versions of the server, and reads no data', async () => {
    const simulator = await startVendorSimulator('simplefin');
    const { ok, keysRefused, lines } = await simplefinAt(simulator.url).check(
      new AbortController().signal,
    );
    expect({ ok, keysRefused, lines }).toEqual({
      ok: true,
      keysRefused: false,
      lines: [
        {
          what: 'the SimpleFIN server answers',
          ok: true,
          detail: 'protocol versions: 1.0, 2.0',
          remedy: null,
        },
      ],
    });
    expect((await simulator.requests()).map(({ path }) => path)).toEqual(['/simplefin/info']);
    await simulator.close();
  });

  it('explains the next steps when the server does not respond', async () => {
    const report = await simplefinAt('http://127.0.0.1:9').check(new AbortController().signal);
    expect(report).toMatchObject({ ok: false, keysRefused: false });
    expect(report.lines[0]?.remedy).toContain('server=');
  });

  it('rejects with the reason of the signal when it is aborted', async () => {
    const reason = new Error('no longer wanted');
    const check = simplefinAt('http://127.0.0.1:9').check(AbortSignal.abort(reason));
    await expect(check).rejects.toBe(reason);
  });
});
