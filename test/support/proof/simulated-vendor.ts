import type { Adapter, Configuration } from '../../../providers/adapter.js';
import { ADAPTERS } from '../../../providers/adapters.js';
import { manifestOf } from '../../../providers/manifests.js';
import type { LinkedOutcome, Provider } from '../../../providers/contract/provider.js';
import type { RecordingProfile } from '../../../providers/recordings/recording-profile.js';
import { loginContext } from '../fixtures/provider-calls.js';

/** A simulator with a configuration, and a login at one of its institutions. */
export interface SimulatedVendor {
  adapter: Adapter;
  profile: RecordingProfile;
  configuration: Configuration;
  remoteId: string;
  link(): Promise<LinkedOutcome>;
  close(): Promise<void>;
}

export function simulatedVendor(
  name: string,
  configuration: Configuration,
  remoteId: string,
  simulator: { close(): Promise<void> },
  logIn: (provider: Provider, context: ReturnType<typeof loginContext>) => Promise<LinkedOutcome>,
): SimulatedVendor {
  const adapter = ADAPTERS.find((known) => known.name === name);
  const profile = manifestOf(name)?.recording;
  if (adapter === undefined || profile === undefined) throw new Error(`no adapter ${name}`);
  return {
    adapter,
    profile,
    configuration,
    remoteId,
    link: () => logIn(adapter.create(configuration), loginContext({ remoteId })),
    close: () => simulator.close(),
  };
}
