import type { Adapter, Configuration } from '../adapter.js';
import type { Provider, ProviderAccess, TransactionWindow } from '../contract/provider.js';
import { CallRecorder, requestName, type AnsweredCall } from './recorded-calls.js';
import { digestOf, recordingSchema, type Recording } from './recording.js';
import type { RecordingProfile } from './recording-profile.js';
import { replayRecording } from './replay-recording.js';
import { Scrubber } from './scrubber.js';
import { walk, type WalkOutcome } from './walk.js';

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 90;
/** Lists of institutions have thousands of entries of one form. */
const MAX_LISTED = 20;
const ASKS_FOR_NONCE = /"error"\s*:\s*"use_dpop_nonce"/;
const HOLDS_TOKENS = /"(access_token|refresh_token|id_token)"\s*:/;

/** A walk that cannot be kept; the text has the reason. */
export class RecordingRefused extends Error {}

export interface RecordWalkParts {
  adapter: Adapter;
  profile: RecordingProfile;
  configuration: Configuration;
  /** The permission whose data is read; null = only the check and the institutions. */
  link: {
    remoteId: string;
    accessFor(provider: Provider, signal: AbortSignal): ProviderAccess;
  } | null;
  now: Date;
  signal: AbortSignal;
  /** Tests give their simulator the name of a vendor. */
  nameOrigin?: (origin: string) => string;
}

/**
 * Walks through a vendor's sandbox and keeps its responses, scrubbed. A recording is returned only
 * if its replay reads as much as the walk did.
 * @throws RecordingRefused, ProviderFailure
 */
export async function recordWalk(parts: RecordWalkParts): Promise<Recording> {
  const { adapter, profile, configuration, link, now, signal } = parts;
  if (configuration.environment !== 'sandbox')
    throw new RecordingRefused(
      'Only configurations of the Sandbox are recorded: a Live one reads real accounts.',
    );
  const remoteId = link?.remoteId ?? null;
  const settings = profile.narrow(configuration.settings, remoteId);
  const recorder = new CallRecorder();
  const provider = adapter.create({ ...configuration, settings }, { wrapCalls: recorder.wrap });
  const country = profile.countryOf(settings, remoteId);
  const window = lastDays(now);
  const walked = await walk(provider, {
    country,
    window,
    signal,
    access: link?.accessFor(provider, signal) ?? null,
    onStep: (step) => (recorder.step = step),
  });
  refuseFailedCheck(walked);
  const scrubber = new Scrubber(profile.rules);
  const calls = scrubbed(recorder.calls, { profile, scrubber, nameOrigin: parts.nameOrigin });
  const origin = calls.at(-1)?.origin;
  if (origin === undefined) throw new RecordingRefused('The walk made no call.');
  const members = {
    adapter: adapter.name,
    recordedOn: window.to,
    origin,
    settings: profile.replaySettings(settings, scrubber),
    remoteId,
    country,
    window,
    accounts: walked.accounts?.length ?? 0,
    calls,
  };
  const outcome = await replayRecording(adapter, profile, members);
  refuseDifference(walked, outcome);
  const draft = recordingSchema.parse({ ...members, outcome, sha256: '0'.repeat(64) });
  return { ...draft, sha256: digestOf(draft) };
}

function lastDays(now: Date): TransactionWindow {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: day(now.getTime() - (WINDOW_DAYS - 1) * DAY_MS), to: day(now.getTime()) };
}

function scrubbed(
  calls: readonly AnsweredCall[],
  {
    profile,
    scrubber,
    nameOrigin = (origin) => origin,
  }: {
    profile: RecordingProfile;
    scrubber: Scrubber;
    nameOrigin: RecordWalkParts['nameOrigin'];
  },
): Recording['calls'] {
  return calls
    .filter(isKept)
    .map(({ step, origin, method, path, status, contentType, requestId, body }) => ({
      step: step as Recording['calls'][number]['step'],
      origin: nameOrigin(origin),
      request: requestName(method, path, profile.resources),
      status,
      contentType: contentType?.split(';')[0] ?? null,
      requestId,
      body: scrubber.body(body, step === 'catalog' ? { maxItems: MAX_LISTED } : {}),
    }));
}

/** Omits refused calls that were repeated, and calls that grant tokens. */
const isKept = ({ status, body }: AnsweredCall): boolean =>
  status !== 401 && !ASKS_FOR_NONCE.test(body) && !HOLDS_TOKENS.test(body);

function refuseFailedCheck({ check }: WalkOutcome): void {
  const failed = check.filter(({ ok }) => !ok).map(({ what }) => what);
  if (failed.length > 0)
    throw new RecordingRefused(
      `The check failed: ${failed.join('; ')}. \`providers check\` names the remedy.`,
    );
}

function refuseDifference(walked: WalkOutcome, replayed: WalkOutcome): void {
  // Omits the lines about clocks: a replay does not have its own time.
  const facts = ({ accounts, transactions, check }: WalkOutcome) =>
    JSON.stringify({
      accounts: accounts?.length,
      transactions,
      failed: check.filter(({ ok }) => !ok).map(({ what }) => what),
    });
  if (facts(walked) !== facts(replayed))
    throw new RecordingRefused(
      `The replay differs from the walk: ${facts(replayed)} instead of ${facts(walked)}. Correct the recording profile of the adapter.`,
    );
}
