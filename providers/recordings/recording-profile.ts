import type { Configuration } from '../adapter.js';
import type { ProviderSecret } from '../contract/provider.js';
import type { Scrubber, ScrubRules } from './scrubber.js';

type Settings = Configuration['settings'];

/** The rules for recording walks of one adapter: `providers/<adapter>/recording-profile.ts`. */
export interface RecordingProfile {
  rules: ScrubRules;
  /** Segments of paths that name a resource; all others may be ids. */
  resources: readonly string[];
  /** The country whose institutions are listed. */
  countryOf(settings: Settings, remoteId: string | null): string;
  /** The same settings, for one institution only. */
  narrow(settings: Settings, remoteId: string | null): Settings;
  /** The settings that are kept with the recording and used to read its responses. */
  replaySettings(settings: Settings, scrubber: Scrubber): Settings;
  /** Secrets for a replay, which are never sent to anyone. */
  replaySecrets(): Readonly<Record<string, string>>;
  /** A credential for a replay, with this number of accounts. */
  replayCredential(accounts: number): ProviderSecret;
}
