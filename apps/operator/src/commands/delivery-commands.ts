import {
  listWaitingEndpoints,
  MAX_WAITING,
} from '../../../../prisma/operations/standing/waiting-endpoints.js';
import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { table } from '../../../../clients/terminal/src/table.js';
import { boundedCount } from '../bounded-count.js';
import type { OperatorCommand } from '../operator-command.js';
import { retryDelivery } from '../operations/deliveries/retry-delivery.js';

/** Commands for single webhook deliveries. The row decides; Temporal is only notified. */
export const DELIVERY_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'deliveries endpoints',
    help: 'list receivers for which deliveries wait, those that refuse first',
    examples: ['deliveries endpoints'],
    recorded: false,
    run: async ({ database, output }) => {
      const shown = (await listWaitingEndpoints(database)).map((endpoint) => ({
        endpoint: endpoint.endpoint,
        new: boundedCount(endpoint.new, MAX_WAITING),
        refused: boundedCount(endpoint.refused, MAX_WAITING),
        attempts: endpoint.attempts,
        last_answer: endpoint.httpStatus === null ? endpoint.error : `HTTP ${endpoint.httpStatus}`,
        next_attempt_at: endpoint.nextAttemptAt?.toISOString() ?? null,
      }));
      output.value(shown, () =>
        [
          table(shown),
          ...(shown.some(({ attempts }) => attempts !== null)
            ? [
                'Repair the receivers that refuse; deliveries retry makes one attempt now, and an abandoned event is replayed.',
              ]
            : []),
        ].join('\n\n'),
      );
    },
  },
  {
    name: 'deliveries retry',
    help: 'make the next attempt now; an exhausted or canceled delivery gets one more attempt, and its remaining planned times',
    examples: ['deliveries retry DELIVERY_ID'],
    recorded: true,
    arguments: (command) => command.argument('<delivery_id>'),
    run: async ({ deliveries, temporal, output }, deliveryId: string) => {
      const retried = await retryDelivery({ deliveries, temporal }, deliveryId);
      if (retried.kind === 'unknown')
        throw new CommandFailure(`There is no delivery ${deliveryId}.`);
      if (retried.kind === 'refused')
        throw new CommandFailure(
          `${deliveryId} is ${retried.status} and cannot be retried; replay its event.`,
        );
      output.value(
        { delivery_token: deliveryId, status: 'pending' },
        () => `The next attempt of ${deliveryId} is due now.`,
      );
    },
  },
  {
    name: 'deliveries cancel',
    help: 'stop further attempts; the event stays in the log and can be replayed',
    examples: ['deliveries cancel DELIVERY_ID'],
    recorded: true,
    arguments: (command) => command.argument('<delivery_id>'),
    run: async ({ deliveries, output }, deliveryId: string) => {
      const status = await deliveries.stop(deliveryId);
      if (status === null) throw new CommandFailure(`There is no delivery ${deliveryId}.`);
      output.value({ delivery_token: deliveryId, status }, () => `${deliveryId} is ${status}.`);
    },
  },
];
