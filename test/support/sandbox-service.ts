import { beforeAll } from 'vitest';
import { AppBackEnd } from './link-journey.js';
import { SandboxCaller } from './sandbox-caller.js';
import { AT_ONCE, shareService, type SharedService } from './shared-service.js';
import { StoredTruth } from './stored-truth.js';

/** What the tests of a file work with; there from their first test on. */
export let service: SharedService;
export let app: AppBackEnd;
export let sandbox: SandboxCaller;
export let truth: StoredTruth;

/** A service with other files, whose banks keep nobody waiting and which has no limits, called as tests of an app would. */
export function shareSandboxService(): void {
  beforeAll(async () => {
    service = await shareService(AT_ONCE);
    app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    sandbox = new SandboxCaller(app);
    truth = new StoredTruth(() => service.info.database_url);
  });
}
