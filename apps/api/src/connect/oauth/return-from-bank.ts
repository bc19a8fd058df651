import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import {
  OAuthReturnRepository,
  type HandOver,
} from '../../../../../prisma/links/sessions/oauth-return.repository.js';
import type { View } from '../session/present-view.js';
import { assertLive } from '../session/session-end.js';
import { SessionViews } from '../session/session-views.js';
import { SESSION_WORKFLOWS } from '../session/session-workflows.token.js';
import type { MessageOutcome, SessionWorkflows } from '../session/session-workflows.js';
import { StepResponses } from '../session/step-responses.js';
import { stateIdOf } from './oauth-state-id.js';

/**
 * POST /session/oauth/return: a window of the session submits the address the user returned to.
 * Source: connect 7, step 5.
 */
@Injectable()
export class ReturnFromBank {
  constructor(
    private readonly returns: OAuthReturnRepository,
    private readonly views: SessionViews,
    private readonly responses: StepResponses,
    @Inject(SESSION_WORKFLOWS) private readonly workflows: SessionWorkflows,
  ) {}

  async handOver(
    session: SessionRecord,
    { address, connectToken }: { address: string; connectToken: string },
  ): Promise<View> {
    assertLive(session);
    const stateId = stateIdOf(address);
    const handOver: HandOver =
      stateId === null
        ? { kind: 'refused' }
        : await this.returns.handOver(session.sessionId, stateId, connectToken);
    if (handOver.kind === 'moved') throw new ApiError('connect_error.session_moved');
    if (handOver.kind === 'refused') {
      if (session.state === 'succeeded') throw new ApiError('connect_error.session_closed');
      throw new ApiError('connect_error.oauth_state_invalid');
    }
    const { sessionId } = session;
    const outcome = await this.redeem(sessionId, handOver);
    if (outcome.kind === 'rejected' && handOver.kind === 'redeem')
      await this.returns.release(sessionId, handOver.redirectId);
    return this.responses.view(sessionId, session.seq, outcome);
  }

  /** Starts the work that the address allows; repeated calls start it only once. */
  async redeem(
    sessionId: string,
    handOver: Extract<HandOver, { kind: 'redeem' | 'repeat' }>,
  ): Promise<MessageOutcome> {
    const session = await this.views.reload(sessionId);
    const isAwaited = session.step?.kind === 'redirect' && session.step.started;
    if (handOver.kind === 'repeat' || !isAwaited) return { kind: 'done' };
    const { redirectId, seq } = handOver;
    return this.workflows.submit(session, {
      seq,
      requestId: `return-${redirectId}`,
      input: { kind: 'redirect_return', redirectId },
    });
  }
}
