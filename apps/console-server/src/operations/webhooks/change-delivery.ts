import { z } from 'zod';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { retryDelivery } from '../../../../operator/src/operations/deliveries/retry-delivery.js';
import { APP_INPUT, id, tenantOf } from '../app-input.js';
import { operation, OperationRefused } from '../operation.js';
import { requireDelivery, unknownDelivery } from '../own-rows.js';
import type { ChangedDelivery } from './webhook-answers.js';

const INPUT = z.object({ ...APP_INPUT, delivery_id: id });

export const RETRY_DELIVERY = operation({
  call: 'POST /apps/:app/:env/deliveries/:delivery_id/retry',
  roles: ['operator'],
  level: 'change',
  input: INPUT,
  recorded: ({ delivery_id: subject }) => ({ action: 'deliveries retry', subject }),
  run: async ({ service }, { delivery_id: deliveryId, ...app }): Promise<ChangedDelivery> => {
    await requireDelivery(service, tenantOf(app), deliveryId);
    const retried = await retryDelivery(service, deliveryId).catch(unavailable);
    if (retried.kind === 'unknown') throw unknownDelivery();
    if (retried.kind === 'refused')
      throw new OperationRefused(
        409,
        'console.not_retryable',
        `It is ${retried.status} and cannot be retried; replay its event.`,
      );
    return { delivery_token: deliveryId, status: 'pending' };
  },
});

export const CANCEL_DELIVERY = operation({
  call: 'POST /apps/:app/:env/deliveries/:delivery_id/cancel',
  roles: ['operator'],
  level: 'change',
  input: INPUT,
  recorded: ({ delivery_id: subject }) => ({ action: 'deliveries cancel', subject }),
  run: async ({ service }, { delivery_id: deliveryId, ...app }): Promise<ChangedDelivery> => {
    await requireDelivery(service, tenantOf(app), deliveryId);
    const status = await service.deliveries.stop(deliveryId);
    if (status === null) throw unknownDelivery();
    return { delivery_token: deliveryId, status };
  },
});

/** The attempt is due, and the workflow that makes it could not be notified, so it may wait for its planned time. */
function unavailable(error: unknown): never {
  if (!(error instanceof CommandFailure)) throw error;
  throw new OperationRefused(503, 'console.unavailable', error.message);
}
