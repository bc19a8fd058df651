import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedServicesUrl } from './embedded-services.js';
import { operate } from './operator.js';
import type { StandaloneApp, StandaloneInfo } from './standalone.js';

/**
 * A tenth of the waits of link-lifecycle 13.3: approvals, resends and slow users. No limits, since all come from one
 * address. The sandbox banks stand for real ones, too.
 */
const SETTINGS = {
  SANDBOX_BANK_DELAY_FACTOR: '0.1',
  SANDBOX_BANKS_IN_LIVE: 'on',
  RATE_LIMIT_CONNECT: 'off',
  RATE_LIMIT_API: 'off',
  RATE_LIMIT_TOKEN: 'off',
  RATE_LIMIT_COMPAT: 'off',
  RATE_LIMIT_SANDBOX_BANK: 'off',
  RATE_LIMIT_FAILED_AUTH: 'off',
};
/** Banks that keep nobody waiting, and fetches that give up soon. */
export const AT_ONCE = { SANDBOX_BANK_DELAY_FACTOR: '0', FETCH_RETRY_FOR: '100ms' };

export interface SharedService {
  readonly dataDir: string;
  readonly info: StandaloneInfo;
  /** Nobody else's: what the tests of a file do in its name, those of other files do not see. */
  readonly app: StandaloneApp;
  /** What the processes wrote so far, for whomever. */
  logs(): string;
}

/**
 * The whole service with an app of the caller's own, for tests that stop nothing and look at nothing but what is their
 * app's. Files that ask for the same settings share one, which outlives them; others start a `Standalone`.
 */
export async function shareService(settings: Record<string, string> = {}): Promise<SharedService> {
  const response = await fetch(sharedServicesUrl(), {
    method: 'POST',
    body: JSON.stringify({ ...SETTINGS, ...settings }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The shared service did not start: ${answer}`);
  return {
    dataDir: answer,
    info: JSON.parse(readFileSync(join(answer, 'standalone.json'), 'utf8')) as StandaloneInfo,
    app: await operate<StandaloneApp>(answer, 'app', 'create', '--name', 'App of a file'),
    logs: () =>
      readdirSync(join(answer, 'logs'))
        .map((file) => readFileSync(join(answer, 'logs', file), 'utf8'))
        .join('\n'),
  };
}
