import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COUNTRIES } from './live-simulators/configurations.js';
import type { TrialUser } from './live-simulators/link-live-simulators.js';
import type { PortPolicy } from '../ports.js';
import type { StandaloneDescription } from '../service/description.js';

interface SampleAppSettings {
  apiBaseUrl: string;
  connectBaseUrl: string;
  clientId: string;
  clientSecret: string;
  host?: string;
  port: number;
  countries?: readonly string[];
  user?: TrialUser;
}

interface RunningSampleApp {
  url: string;
  stop: () => Promise<void>;
}

const SAMPLE_APP = new URL('../../../../../examples/connect-web/sample-app.mjs', import.meta.url);
const PORT = 4300;

/**
 * Starts Pocket Ledger of `examples/` against the service.
 * @param options `user` whose links it shows; a new user for each browser if omitted. `host` to
 *   listen on; only this computer reaches it if omitted
 * @returns null where the examples are not installed, as in an image
 */
export async function startSampleApp(
  { base_url: apiBaseUrl, connect_base_url: connectBaseUrl, apps: [app] }: StandaloneDescription,
  { user, host, ports }: { user?: TrialUser; host?: string; ports: PortPolicy },
): Promise<RunningSampleApp | null> {
  if (app === undefined || !existsSync(fileURLToPath(SAMPLE_APP))) return null;
  const { startSampleApp: start } = (await import(SAMPLE_APP.href)) as {
    startSampleApp: (settings: SampleAppSettings) => Promise<RunningSampleApp>;
  };
  const settings = {
    apiBaseUrl,
    connectBaseUrl,
    clientId: app.sandbox.client_id,
    clientSecret: app.sandbox.client_secret,
    ...(host === undefined ? {} : { host }),
    ...(user === undefined ? {} : { user, countries: COUNTRIES }),
  };
  const port = ports === 'any' ? 0 : PORT;
  return start({ ...settings, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return start({ ...settings, port: 0 });
  });
}
