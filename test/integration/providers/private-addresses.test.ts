import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { reachOf } from '../../../providers/http/address-reach.js';
import { createDispatcher } from '../../../providers/http/guarded-dispatcher.js';
import type { ResolveAll } from '../../../providers/http/guarded-lookup.js';
import { DEFAULT_LIMITS } from '../../../providers/http/http-limits.js';
import type { Provider } from '../../../providers/contract/provider.js';
import { CALLING_ADAPTERS } from '../../support/adapters/calls-of-adapters.js';

const ORIGIN = 'https://bank.example';
const PUBLIC = '93.184.216.34';

const REFUSED = [
  ['this machine', '127.0.0.1'],
  ['a private network of IPv4', '10.0.0.1'],
  ['another private network', '172.16.9.9'],
  ['a home network', '192.168.1.1'],
  ['shared carrier space', '100.64.0.1'],
  ['cloud metadata', '169.254.169.254'],
  ['the wire server of Azure', '168.63.129.16'],
  ['no host', '0.0.0.0'],
  ['a reserved block', '240.0.0.1'],
  ['IPv6 loopback', '::1'],
  ['a unique-local network of IPv6', 'fd00::1'],
  ['cloud metadata over IPv6', 'fd00:ec2::254'],
  ['a link-local address of IPv6', 'fe80::1'],
  ['an IPv4 address inside IPv6', '::ffff:10.0.0.1'],
  ['an IPv4 address behind NAT64', '64:ff9b::a00:1'],
] as const;

const entryOf = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4,
});

/** Resolves each look-up to the next list. The last one stays. */
function resolving(...lists: readonly (readonly string[])[]) {
  let asked = 0;
  const resolve: ResolveAll = (_hostname, callback) => {
    const list = lists[Math.min(asked, lists.length - 1)] ?? [];
    asked += 1;
    callback(null, list.map(entryOf));
  };
  return { resolve, asked: () => asked };
}

const live = (adapter: string, resolve: ResolveAll): Promise<Provider> => {
  const known = CALLING_ADAPTERS[adapter];
  if (known === undefined) throw new Error(`no calls of ${adapter}`);
  return known.create({ environment: 'live', origin: ORIGIN, resolve });
};

const CALLS = Object.entries(CALLING_ADAPTERS).flatMap(([adapter, { calls }]) =>
  Object.entries(calls(ORIGIN)).map(([kind, call]) => ({ adapter, kind, call })),
);

describe('A Live configuration', () => {
  it.each(CALLS)(
    'connects $adapter ($kind) to no private address that a name resolves to',
    async ({ adapter, call }) => {
      for (const [what, address] of REFUSED) {
        const { resolve, asked } = resolving([address]);
        const provider = await live(adapter, resolve);
        const error: unknown = await call(provider).catch((reason: unknown) => reason);
        expect({ what, error: String(error), asked: asked() > 0 }).toEqual({
          what,
          error: expect.stringContaining('ADDRESS_REFUSED') as string,
          asked: true,
        });
      }
    },
  );

  it.each(CALLS)(
    'refuses to connect $adapter ($kind) when a name has a private address beside a public one',
    async ({ adapter, call }) => {
      const provider = await live(adapter, resolving([PUBLIC, '10.0.0.1']).resolve);
      await expect(call(provider)).rejects.toThrow('ADDRESS_REFUSED');
    },
  );

  it.each(CALLS)(
    'checks the address of $adapter ($kind) in the look-up that the connection uses, so a name that changes leads nowhere',
    async ({ adapter, call }) => {
      const { resolve, asked } = resolving([PUBLIC], ['169.254.169.254']);
      const provider = await live(adapter, resolve);
      await call(provider).catch(() => undefined);
      const before = asked();
      await expect(call(provider)).rejects.toThrow('ADDRESS_REFUSED');
      expect(asked()).toBeGreaterThan(before);
    },
  );

  it.each(REFUSED)('refuses to connect to a literal address of %s', async (_what, address) => {
    const dispatcher = createDispatcher({ limits: DEFAULT_LIMITS, reach: reachOf('live') });
    const host = address.includes(':') ? `[${address}]` : address;
    for (const scheme of ['http', 'https'])
      await expect(request(`${scheme}://${host}:9/`, { dispatcher })).rejects.toMatchObject({
        code: 'ADDRESS_REFUSED',
      });
    await dispatcher.close();
  });

  it('explains to operators why it does not connect, and the next steps', async () => {
    for (const { adapter, call } of CALLS.filter(({ kind }) => /check|keys/.test(kind)))
      await expect(call(await live(adapter, resolving(['10.0.0.1']).resolve))).rejects.toThrow(
        /Live connects to public addresses only/,
      );
  });
});

describe('A configuration of the Sandbox', () => {
  let target: Server;
  let source: Server;
  let origin: string;
  let reached: string[];
  let asked: string[];
  beforeAll(async () => {
    target = createServer((incoming, response) => {
      reached.push(incoming.url ?? '');
      response.end('{}');
    });
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const { port: elsewhere } = target.address() as AddressInfo;
    source = createServer((incoming, response) => {
      asked.push(incoming.url ?? '');
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/stolen` }).end();
    });
    source.listen(0, '127.0.0.1');
    await once(source, 'listening');
    origin = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const server of [target, source]) server.close();
  });
  beforeEach(() => {
    reached = [];
    asked = [];
  });

  it.each(CALLS)(
    'reaches a simulator on this machine with $adapter ($kind), and follows no redirect of it',
    async ({ adapter, kind }) => {
      const { create, calls } = CALLING_ADAPTERS[adapter] ?? {};
      const provider = await create?.({ environment: 'sandbox', origin });
      if (provider === undefined) throw new Error('no provider');
      await calls?.(origin)
        [kind]?.(provider)
        .catch(() => undefined);
      expect(asked).not.toEqual([]);
      expect(reached).toEqual([]);
    },
  );

  it.each(['169.254.169.254', '168.63.129.16', '::ffff:169.254.169.254'])(
    'refuses to connect to %s, which no simulator has',
    async (address) => {
      for (const { adapter, call } of CALLS) {
        const { resolve } = resolving([address]);
        const provider = await CALLING_ADAPTERS[adapter]?.create({
          environment: 'sandbox',
          origin: ORIGIN,
          resolve,
        });
        if (provider === undefined) throw new Error('no provider');
        await expect(call(provider)).rejects.toThrow('ADDRESS_REFUSED');
      }
    },
  );
});
