import { parseUrl } from '../../domain/addresses/parse-url.js';
import { AddressRules, literalAddress } from '../../domain/addresses/address-rules.js';
import type { RecordingProfile } from './recording-profile.js';
import { digestOf, recordingSchema, type Recording } from './recording.js';
import { unscrubbedIn } from './scrubber.js';

const RULES = new AddressRules({ webhookAllowedPrivateRanges: [], webhookRefusedRanges: [] });

export type Judgment = { recording: Recording } | { problems: string[] };

/**
 * Reads the text of a recording, and refuses one that proves nothing or reveals too much.
 * @param today `YYYY-MM-DD`
 */
export function judgeRecording(
  text: string,
  { rules }: Pick<RecordingProfile, 'rules'>,
  today: string,
): Judgment {
  const read = recordingSchema.safeParse(parse(text));
  if (!read.success) return { problems: read.error.issues.map(describe) };
  const recording = read.data;
  const { recordedOn, origin, calls, sha256 } = recording;
  const problems = [
    ...(recordedOn > today ? [`recordedOn: ${recordedOn} is in the future`] : []),
    ...[...new Set([origin, ...calls.map((call) => call.origin)])].flatMap(objectionTo),
    ...calls.flatMap(({ request, body }) =>
      unscrubbedIn(body, rules).map((path) => `${request}: ${path} is not scrubbed`),
    ),
    ...(digestOf(recording) === sha256 ? [] : ['sha256: it was changed after it was recorded']),
  ];
  return problems.length === 0 ? { recording } : { problems };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const describe = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  `${path.join('.') || 'the file'}: ${message}`;

/** A simulator or a local test is not a vendor. */
function objectionTo(origin: string): string[] {
  const url = parseUrl(origin);
  if (url === null) return [`origin: ${origin} is no address`];
  const { protocol, hostname } = url;
  if (protocol !== 'https:') return [`origin: ${origin} is not https`];
  const literal = literalAddress(hostname);
  const isPrivate =
    literal === null
      ? !hostname.includes('.') || /\.(localhost|local|internal|test)$/.test(hostname)
      : RULES.refuses(literal);
  return isPrivate ? [`origin: ${origin} is on this machine or in a private network`] : [];
}
