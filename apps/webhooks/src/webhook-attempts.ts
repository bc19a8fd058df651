import {
  judgeAttempt,
  type AttemptVerdict,
  type DeliverySchedule,
} from '../../../domain/webhooks/judge-attempt.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { DueDelivery } from '../../../prisma/webhooks/webhook-delivery.repository.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import type { OutcomeRecorder } from './outcome-recorder.js';
import type { RefusingEndpoints } from './refusing-endpoints.js';
import type { Answer, WebhookSender } from './webhook-sender.js';

export interface WebhookAttemptsOptions {
  sender: WebhookSender;
  recorder: Pick<OutcomeRecorder, 'record'>;
  refusing: Pick<RefusingEndpoints, 'note'>;
  schedules: Record<WebhookFormat, DeliverySchedule>;
  /** Keeps when a link was last told something, and what. */
  noteAttempt: (delivery: DueDelivery, at: Date) => Promise<void>;
  clock: () => Date;
  /** A number in [0, 1) for each gap. */
  jitter: () => number;
  logger: Logger;
}

export interface AttemptReport {
  answer: Answer;
  verdict: AttemptVerdict;
  /** False: the next attempt waits until there is room for a workflow that makes it. */
  inWorkflow: boolean;
}

/** One attempt from signature to recorded outcome, for first attempts and later ones alike. */
export class WebhookAttempts {
  constructor(private readonly options: WebhookAttemptsOptions) {}

  /** @throws AttemptInterrupted when `stop` fires before there is an outcome */
  async make(
    delivery: DueDelivery,
    stop: AbortSignal,
    answered?: (accepted: boolean) => void,
  ): Promise<AttemptReport> {
    const { sender, recorder, refusing, schedules, noteAttempt, clock, jitter, logger } =
      this.options;
    const answer = await sender.send(delivery, stop);
    const accepted = answer.error === null;
    refusing.note({ endpoint: delivery.endpoint, accepted });
    answered?.(accepted);
    const { startedAt, durationMs, httpStatus, error, responseExcerpt } = answer;
    const progress = {
      firstAttemptAt: delivery.firstAttemptAt ?? startedAt,
      attempts: delivery.attempt,
      shiftMs: delivery.shiftMs,
    };
    const verdict = judgeAttempt(answer, progress, schedules[delivery.format], clock(), jitter());
    const recorded = await recorder.record({
      deliveryPk: delivery.pk,
      attempt: delivery.attempt,
      startedAt,
      durationMs,
      httpStatus,
      error,
      responseExcerpt,
      status: verdict.status,
      nextAttemptAt: verdict.status === 'pending' ? verdict.nextAttemptAt : null,
      shiftMs: verdict.status === 'pending' ? verdict.shiftMs : delivery.shiftMs,
    });
    if (delivery.format === 'plaid') await noteAttempt(delivery, startedAt);
    logger.info(
      {
        event_id: delivery.eventId,
        delivery_id: delivery.deliveryId,
        webhook_event: delivery.webhookEvent,
        link_id: delivery.linkId,
        attempt: delivery.attempt,
        http_status: httpStatus,
        reason: error,
        outcome: verdict.status,
        duration_ms: durationMs,
      },
      'webhook.attempted',
    );
    return { answer, verdict, inWorkflow: recorded?.inWorkflow ?? true };
  }
}
