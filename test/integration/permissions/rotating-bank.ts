import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type {
  Provider,
  ProviderAccess,
  ProviderSecret,
} from '../../../providers/contract/provider.js';
import { GENEROUS_FACTS, KEYS_WORK } from '../../support/fixtures/provider-calls.js';

interface Tokens {
  access: string;
  refresh: string;
}

/**
 * A bank that accepts each refresh token once. The second use of one ends the grant, as with OAuth
 * servers that detect stolen tokens.
 */
export class RotatingBank {
  refreshes = 0;
  isGrantAlive = true;
  /** Runs before the bank responds to a refresh. */
  beforeResponse: () => Promise<void> = () => Promise.resolve();
  private readonly server: Server;
  private generation = 0;

  constructor() {
    this.server = createServer((request, response) => {
      const token = request.headers.authorization ?? '';
      void this.respond(request.url ?? '', token).then(({ status, body }) =>
        response.writeHead(status).end(JSON.stringify(body)),
      );
    });
  }

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Creates a new grant, whose access token has already expired. */
  grant(): ProviderSecret {
    this.generation += 1;
    this.refreshes = 0;
    this.isGrantAlive = true;
    this.beforeResponse = () => Promise.resolve();
    return encode({ access: 'expired', refresh: this.name('refresh') });
  }

  private async respond(path: string, token: string): Promise<{ status: number; body: unknown }> {
    if (path === '/accounts')
      return this.isGrantAlive && token === this.name('access')
        ? { status: 200, body: [] }
        : { status: 401, body: {} };
    if (token !== this.name('refresh')) this.isGrantAlive = false;
    if (!this.isGrantAlive) return { status: 400, body: { error: 'invalid_grant' } };
    this.refreshes += 1;
    const body = { access: this.name('access'), refresh: this.name('refresh') };
    await this.beforeResponse();
    return { status: 200, body };
  }

  private name(kind: string): string {
    return `${kind}-${this.generation}-${this.refreshes}`;
  }
}

/** A provider that renews its tokens when the bank refuses them. */
export function rotatingProvider(bankUrl: string): Provider {
  const post = (path: string, token: string, signal: AbortSignal) =>
    fetch(bankUrl + path, { method: 'POST', headers: { authorization: token }, signal });
  const exchange = async (held: ProviderSecret, signal: AbortSignal): Promise<ProviderSecret> => {
    const response = await post('/token', decode(held).refresh, signal);
    if (!response.ok) throw new ProviderFailure('consent_expired', 'The grant is over.');
    return encode((await response.json()) as Tokens);
  };
  const list = async ({ credential, signal }: ProviderAccess): Promise<boolean> => {
    const response = await post('/accounts', decode(credential).access, signal);
    return response.ok;
  };
  return {
    name: 'sandbox',
    adapter: 'rotating',
    facts: GENEROUS_FACTS,
    institutions: () => [],
    check: () => Promise.resolve(KEYS_WORK),
    begin: () => Promise.reject(new Error('no login here')),
    async fetchAccounts(access) {
      if (!(await list(access))) await access.renewCredential(exchange);
      if (!(await list(access))) throw new ProviderFailure('consent_expired', 'Still refused.');
      return { accounts: [], unreported: [] };
    },
  };
}

function encode(tokens: Tokens): ProviderSecret {
  return Buffer.from(JSON.stringify(tokens), 'utf8');
}

export function decode(secret: ProviderSecret): Tokens {
  return JSON.parse(Buffer.from(secret).toString('utf8')) as Tokens;
}
