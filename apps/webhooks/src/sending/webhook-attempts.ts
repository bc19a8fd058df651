import {
  judgeAttempt,
  type AttemptVerdict,
  type DeliverySchedule,
} from '../../../../domain/webhooks/judge-attempt.js';
import { ANSWER_RULES, type WebhookFormat } from '../../../../domain/webhooks/webhook-format.js';
import { runTraced } from '../../../../prisma/base/database/work-origin.js';
import type { DueDelivery } from '../../../../prisma/announcements/webhooks/due-delivery.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { OutcomeRecorder } from './outcome-recorder.js';
import type { Answer, WebhookSender } from './webhook-sender.js';

/** One attempt whose outcome is recorded. */
export interface ObservedAttempt {
  format: WebhookFormat;
  /** From 1 on. */
  attempt: number;
  /** `pending`: it failed, and another follows. */
  status: AttemptVerdict['status'];
}

export type ObserveAttempt = (attempt: ObservedAttempt) => void;

export interface WebhookAttemptsOptions {
  sender: WebhookSender;
  recorder: Pick<OutcomeRecorder, 'record'>;
  schedules: Record<WebhookFormat, DeliverySchedule>;
  /** Stores the time and the kind of the last attempted webhook of a link. */
  noteAttempt: (delivery: DueDelivery, at: Date) => Promise<void>;
  clock: () => Date;
  /** A number in [0, 1) for each gap. */
  jitter: () => number;
  logger: Logger;
  observe?: ObserveAttempt | undefined;
}

export interface AttemptReport {
  answer: Answer;
  verdict: AttemptVerdict;
}

/** One attempt from signature to recorded outcome, for first attempts and retries alike. */
export class WebhookAttempts {
  constructor(private readonly options: WebhookAttemptsOptions) {}

  /** @throws AttemptInterrupted when `stop` fires before there is an outcome */
  make(delivery: DueDelivery, stop: AbortSignal): Promise<AttemptReport> {
    return runTraced(delivery.traceId, () => this.attempt(delivery, stop));
  }

  private async attempt(delivery: DueDelivery, stop: AbortSignal): Promise<AttemptReport> {
    const { sender, recorder, schedules, noteAttempt, clock, jitter, logger, observe } =
      this.options;
    const answer = await sender.send(delivery, stop);
    const { startedAt, durationMs, httpStatus, error, responseExcerpt } = answer;
    const { attempt, shiftMs } = delivery;
    const progress = {
      firstAttemptAt: delivery.firstAttemptAt ?? startedAt,
      attempts: attempt,
      shiftMs,
    };
    const verdict = judgeAttempt(answer, progress, schedules[delivery.format], clock(), jitter());
    await recorder.record({
      deliveryPk: delivery.pk,
      attempt,
      startedAt,
      durationMs,
      httpStatus,
      error,
      responseExcerpt,
      nextAttemptAt: null,
      shiftMs,
      ...verdict,
    });
    observe?.({ format: delivery.format, attempt, status: verdict.status });
    if (ANSWER_RULES[delivery.format].isNoted) await noteAttempt(delivery, startedAt);
    logger.info(
      {
        event_id: delivery.eventId,
        delivery_id: delivery.deliveryId,
        webhook_event: delivery.webhookEvent,
        link_id: delivery.linkId,
        attempt,
        http_status: httpStatus,
        reason: error,
        outcome: verdict.status,
        duration_ms: durationMs,
      },
      'webhook.attempted',
    );
    return { answer, verdict };
  }
}
