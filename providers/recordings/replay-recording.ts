import type { Adapter } from '../adapter.js';
import type { ProviderAccess } from '../contract/provider.js';
import { readAdapterSettings } from '../read-settings.js';
import type { RecordingProfile } from './recording-profile.js';
import type { Recording } from './recording.js';
import { replayCalls } from './replayed-calls.js';
import { walk, type WalkOutcome } from './walk.js';

const DEADLINE_MS = 60_000;

/**
 * Walks through a recording with the current adapter, as of the day it was recorded.
 * @throws ProviderFailure when the adapter no longer understands it
 */
export async function replayRecording(
  adapter: Adapter,
  profile: RecordingProfile,
  recording: Omit<Recording, 'outcome' | 'sha256'>,
): Promise<WalkOutcome> {
  const { recordedOn, remoteId, settings, country, window, calls, accounts } = recording;
  const environment = 'sandbox';
  const read = readAdapterSettings(adapter.settings, {
    environment,
    settings,
    secrets: profile.replaySecrets(),
  });
  const provider = adapter.create(
    { adapter: adapter.name, name: 'replay', environment, ...read },
    {
      wrapCalls: replayCalls(calls, profile.resources),
      now: () => new Date(`${recordedOn}T12:00:00Z`),
    },
  );
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const hasData = remoteId !== null && calls.some(({ step }) => step === 'accounts');
  const access = hasData ? accessTo(remoteId, profile.replayCredential(accounts), signal) : null;
  return walk(provider, { country, access, window, signal });
}

const accessTo = (
  remoteId: string,
  credential: Uint8Array,
  signal: AbortSignal,
): ProviderAccess => ({
  remoteId,
  reference: 'replay',
  credential,
  signal,
  endUser: null,
  note: () => undefined,
  acquire: () => Promise.resolve(),
  renewCredential: () => Promise.reject(new Error('A replay does not renew credentials.')),
});
