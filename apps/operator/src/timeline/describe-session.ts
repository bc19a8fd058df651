import { outcomeOf, type SessionOutcome } from '../../../../domain/session/session-outcome.js';
import type { SessionMoment } from '../../../../prisma/links/timeline/timeline-row.js';
import type { TimelineEntry } from './timeline-entry.js';

type Words = Pick<TimelineEntry, 'cause' | 'remedy'>;

const SEND_AGAIN = 'Create another session, hosted if you need an address to send to the user.';

const OUTCOMES: Readonly<Record<SessionOutcome, (session: SessionMoment) => Words>> = {
  linked: () => ({ cause: 'The user finished, and the link took effect.', remedy: null }),
  relinked: () => ({
    cause: 'The user signed in again, and the link works with it.',
    remedy: null,
  }),
  exited: ({ bankAccepted }) => ({
    cause: bankAccepted
      ? 'The user left after the bank had accepted the sign-in.'
      : 'The user left before the bank had accepted a sign-in.',
    remedy: SEND_AGAIN,
  }),
  expired: ({ openedAt }) =>
    openedAt === null
      ? {
          cause:
            'It expired without being opened: its address or token may not have reached the user.',
          remedy: SEND_AGAIN,
        }
      : { cause: 'It expired while the user did nothing.', remedy: SEND_AGAIN },
  superseded: () => ({ cause: 'A newer session replaced it, which is shown above.', remedy: null }),
  canceled: () => ({
    cause: 'The end of the link, its user or its app, or an operator ended it.',
    remedy: null,
  }),
};

export function describeSession(session: SessionMoment, now: Date): TimelineEntry {
  const outcome = outcomeOf(session, now);
  const { clientId, clientLabel, openedAt, succeededAt, endedAt, exit, isHosted } = session;
  const attempt = session.mode === 'relink' ? 'Attempt to sign in again' : 'Attempt to link';
  const words =
    outcome === null
      ? {
          cause: openedAt === null ? 'It waits for its user.' : 'Its user is at it.',
          remedy: null,
        }
      : OUTCOMES[outcome](session);
  const moments: readonly (readonly [string, Date | null])[] = [
    ['opened', openedAt],
    ['took effect', succeededAt],
    ['ended', endedAt],
    ['expires', endedAt === null && outcome === null ? session.expiresAt : null],
  ];
  return {
    kind: 'session',
    at: session.at,
    id: session.sessionId,
    title: `${attempt}: ${outcome ?? session.state}`,
    ...words,
    lines: [
      `by key pair ${clientLabel === null ? clientId : `${clientId} (${clientLabel})`}${isHosted ? ', as a hosted page' : ''}`,
      ...moments.flatMap(([name, at]) => (at === null ? [] : [`${name} ${at.toISOString()}`])),
      ...(exit === null ? [] : [`left at ${exit.kind ?? 'the start'}${leftWith(exit.problem)}`]),
    ],
  };
}

const leftWith = (problem: string | null): string => (problem === null ? '' : ` after ${problem}`);
