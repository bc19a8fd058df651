import { afterAll, beforeAll } from 'vitest';
import { AppBackEnd } from './link-journey.js';
import { SandboxCaller } from './sandbox-caller.js';
import { Standalone } from './standalone.js';
import { StoredTruth } from './stored-truth.js';

const AT_ONCE = { SANDBOX_BANK_DELAY_FACTOR: '0', RATE_LIMIT_API: 'off', RATE_LIMIT_TOKEN: 'off' };

/** What the tests of a file work with; there from their first test on. */
export let service: Standalone;
export let app: AppBackEnd;
export let sandbox: SandboxCaller;
export let truth: StoredTruth;

/** One service for the file, whose banks keep nobody waiting and which has no limits, called as tests of an app would. */
export function startSandboxService(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    service = await Standalone.start({ env: { ...AT_ONCE, ...env } });
    app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    sandbox = new SandboxCaller(app);
    truth = new StoredTruth(() => service.info.database_url);
  }, 180_000);

  afterAll(() => service?.dispose(), 60_000);
}
