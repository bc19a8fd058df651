import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROVIDERS = fileURLToPath(new URL('../../providers/', import.meta.url));
const files = readdirSync(PROVIDERS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

/** Everything that opens a connection, or replaces the check of its address. */
const CONNECTS =
  /\b(new (Agent|Client|Pool|ProxyAgent|RetryAgent|EnvHttpProxyAgent)\b|buildConnector\(|setGlobalDispatcher)|from 'node:(http|https|http2|net|tls)'|from 'undici'/;
const HARMLESS = /import type [^;]*;|import \{ isIP(, isIPv\d)* \} from 'node:net';/g;
const REQUEST = /import \{ request(, type Dispatcher)? \} from 'undici';/g;

describe('Connections of adapters', () => {
  it('are made only by the dispatcher that checks addresses', () => {
    const making = files.filter((file) =>
      CONNECTS.test(
        readFileSync(join(PROVIDERS, file), 'utf8')
          .replaceAll(HARMLESS, '')
          .replaceAll(REQUEST, ''),
      ),
    );
    expect(making).toEqual(['http/guarded-dispatcher.ts']);
  });

  it('go through that dispatcher in every request', () => {
    const bare = files.filter((file) => {
      const text = readFileSync(join(PROVIDERS, file), 'utf8');
      return text.match(REQUEST) !== null && !/\bdispatcher\b/.test(text);
    });
    expect(bare).toEqual([]);
  });
});
