import type { Device } from '../../../../packages/connect-protocol/src/init.js';
import type { Host } from '../host/host.js';
import type { SessionClient } from '../session/session-client.js';
import type { Texts } from '../texts/texts.js';

/** The page, the service and the language that a flow works with. */
export interface FlowParts {
  host: Host;
  client: SessionClient;
  /** In the current language. */
  readonly texts: Texts;
  /** The session was created for a language. */
  onLocale: (locale: string) => Promise<void>;
  loadDeferredTexts: () => Promise<void>;
  device: Device;
  /** By the clock of the service. */
  now: () => number;
}
