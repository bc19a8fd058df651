import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';

/** A note for workflows whose attempts are retries of one activity. */
export const SEE_PENDING_ACTIVITY =
  'The pending activity shows why the last attempt failed and when the next is due.';

/** One thing that a workflow waits for. Times are workflow time, in milliseconds since 1970. */
export interface Wait {
  /** A noun and a verb, as in `the user to open Connect`. Names in it are quoted as code. */
  for: string;
  since: number;
  /** The latest time at which the wait ends or another event occurs. */
  until: number | null;
  /** The reason that the last attempt failed. */
  lastError: ProviderCause | null;
}

export interface Details {
  /** An institution's id consists of its name and country. */
  institution: string | null;
  provider: string | null;
  waits: readonly Wait[];
  /** Markdown that follows the waits. */
  note: string | null;
  /** The name of the phase, in workflows that have phases. */
  phase?: string | null;
}

/** Markdown for the details of a workflow. Contains no bank text, secret or user data. */
export function renderDetails({
  institution,
  provider,
  waits,
  note,
  phase = null,
}: Details): string {
  const place = [
    institution === null ? null : `at \`${institution}\``,
    provider === null ? null : `through \`${provider}\``,
  ].filter((part) => part !== null);
  return [
    phase === null ? null : `Phase: \`${phase}\`.`,
    place.length === 0 ? null : `${capitalized(place.join(' '))}.`,
    ...waits.map(renderWait),
    note,
  ]
    .filter((part) => part !== null)
    .join('\n\n');
}

function renderWait({ for: text, since, until, lastError }: Wait): string {
  return [
    `Waits for **${text}**`,
    `since ${utc(since)}${until === null ? '' : `, until ${utc(until)} at the latest`}.`,
    ...(lastError === null ? [] : [`Last error: ${describeCause(lastError)}`]),
  ].join(' ');
}

const describeCause = (cause: ProviderCause) => `${FAILURE_MEANINGS[cause].text} (\`${cause}\`)`;

/** `2026-03-02T10:15:32Z` */
const utc = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
