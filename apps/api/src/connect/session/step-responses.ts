import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { makeStep, type StepContent } from '../../../../../domain/session/connect-step.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import type { StepRejection } from '../../../../../workflows/session/session.contract.js';
import type { View } from './present-view.js';
import { assertLive, endOf } from './session-end.js';
import { SessionViews } from './session-views.js';
import type { MessageOutcome } from './session-workflows.js';

/** The step shown while work outlasts the call, as when this process stops (connect 5, rule 5). */
const WORKING: StepContent = { kind: 'wait', stage: 'connecting', can_cancel: false };

/**
 * The response to a window's action: the resulting step, or the reason for a rejection.
 * Source: connect 5.
 */
@Injectable()
export class StepResponses {
  constructor(private readonly views: SessionViews) {}

  async view(sessionId: string, answered: number, outcome: MessageOutcome): Promise<View> {
    const session = await this.views.reload(sessionId);
    if (outcome.kind === 'rejected') return this.refuse(session, outcome.reason);
    assertLive(session);
    return this.shown(session, answered, outcome);
  }

  /**
   * The current step. While the answered step is still the current one, it must not look like a
   * new prompt.
   */
  async shown(session: SessionRecord, answered: number, outcome: MessageOutcome): Promise<View> {
    const view = await this.views.of(session);
    return outcome.kind === 'waiting' && session.seq === answered
      ? { ...view, step: makeStep(session.seq, WORKING) }
      : view;
  }

  /** @throws ApiError */
  async refuse(session: SessionRecord, reason: StepRejection): Promise<never> {
    const end = endOf(session, new Date());
    if (end !== null) throw end;
    // connect 5, rule 8
    if (reason === 'SessionClosed' || session.state === 'succeeded')
      throw new ApiError('connect_error.session_closed');
    throw new ApiError(
      reason === 'StaleStep' ? 'connect_error.stale_step' : 'connect_error.step_in_progress',
      { view: await this.views.of(session) },
    );
  }
}
