import type { TimelineDelivery } from '../../../../prisma/links/timeline/timeline-row.js';
import { describeAction } from './describe-action.js';

interface DescribedDelivery {
  lines: string[];
  remedy: string | null;
}

const STATES: Readonly<Record<string, (delivery: TimelineDelivery) => [string, string | null]>> = {
  pending: ({ attemptsMade, nextAttemptAt }) => [
    `${attemptsMade === 0 ? 'waits for its first attempt' : `refused ${times(attemptsMade)}`}${nextAttemptAt === null ? '' : `, next ${nextAttemptAt.toISOString()}`}`,
    attemptsMade === 0 ? null : 'Repair the receiver; deliveries retry makes the next attempt now.',
  ],
  delivered: ({ attemptsMade }) => [`delivered at attempt ${attemptsMade}`, null],
  exhausted: ({ attemptsMade }) => [
    `abandoned after ${times(attemptsMade)}`,
    'Repair the receiver, then replay the event, or deliveries retry.',
  ],
  disabled: () => [
    'not sent: the receiver answered 410, which disables its address',
    'Set the address again when the receiver works.',
  ],
  no_address: () => ['not sent: the link has no address', null],
  replaced: () => ['replaced by a later replay', null],
};

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

export function describeDelivery(delivery: TimelineDelivery, now: Date): DescribedDelivery {
  const { deliveryId, endpoint, reason, status, attempts, actions } = delivery;
  const [state, remedy] = STATES[status]?.(delivery) ?? [status, null];
  const last = attempts.at(-1);
  const how = { replay: 'replay ', test: 'test ', listener: 'listener ' }[reason] ?? '';
  return {
    remedy,
    lines: [
      `${how}${deliveryId}${endpoint === null ? '' : ` to ${endpoint}`}: ${state}${last === undefined ? '' : ` (${answerOf(last)})`}`,
      ...actions.map((action) => {
        const { title, cause } = describeAction(action, now);
        return `${action.at.toISOString()} ${title}${cause === null ? '' : `: ${cause}`}`;
      }),
    ],
  };
}

function answerOf({ httpStatus, error, durationMs }: TimelineDelivery['attempts'][number]): string {
  const answer = httpStatus === null ? (error ?? 'no response') : `HTTP ${httpStatus}`;
  return `${answer} in ${durationMs} ms`;
}
