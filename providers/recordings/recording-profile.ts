import type { Configuration } from '../adapter.js';
import type { ProviderSecret } from '../contract/provider.js';
import type { Scrubber, ScrubRules } from './scrubber.js';

type Settings = Configuration['settings'];

/** How walks of one adapter are recorded: `providers/<adapter>/recording-profile.ts`. */
export interface RecordingProfile {
  rules: ScrubRules;
  /** Segments of paths that name a resource; all others may be ids. */
  resources: readonly string[];
  /** Whose institutions are listed. */
  countryOf(settings: Settings, remoteId: string | null): string;
  /** The same settings, for one institution only. */
  narrow(settings: Settings, remoteId: string | null): Settings;
  /** Settings that are kept with the recording and read its answers. */
  replaySettings(settings: Settings, scrubber: Scrubber): Settings;
  /** Secrets for a replay, which reach no one. */
  replaySecrets(): Readonly<Record<string, string>>;
  /** A credential for a replay, of this many accounts. */
  replayCredential(accounts: number): ProviderSecret;
}
