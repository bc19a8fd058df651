import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid, validationFailed } from '../../../../../domain/errors/api-errors.js';
import { apiTimestamp } from '../../../../../domain/api/timestamps.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import { OAuthStateRepository } from '../../../../../prisma/links/sessions/oauth-state.repository.js';
import type { View } from '../session/present-view.js';
import { assertLive } from '../session/session-end.js';
import { SessionViews } from '../session/session-views.js';
import { SESSION_WORKFLOWS } from '../session/session-workflows.token.js';
import type { MessageOutcome, SessionWorkflows } from '../session/session-workflows.js';
import { StepResponses } from '../session/step-responses.js';

export interface StartedRedirect {
  authorize_url: string;
  state_hash: string;
  expires_at: string;
  view: View;
}

/**
 * POST /session/oauth/start: starts a redirect to the bank's own pages. Source: connect 4 and 7,
 * step 1.
 */
@Injectable()
export class StartRedirect {
  constructor(
    private readonly redirects: OAuthStateRepository,
    private readonly views: SessionViews,
    private readonly responses: StepResponses,
    @Inject(SESSION_WORKFLOWS) private readonly workflows: SessionWorkflows,
  ) {}

  async start(
    session: SessionRecord,
    { seq, requestId }: { seq: number; requestId: string },
  ): Promise<StartedRedirect> {
    assertLive(session);
    const isNext = session.state !== 'succeeded' && session.step !== null && seq === session.seq;
    const outcome = isNext
      ? await this.startAttempt(session, requestId)
      : await this.repeat(session, requestId);
    if (outcome.kind === 'rejected')
      return this.responses.refuse(await this.views.reload(session.sessionId), outcome.reason);

    const kept = await this.redirects.keptStart(session.sessionId, requestId);
    const now = await this.views.reload(session.sessionId);
    const view = await this.responses.shown(now, seq, outcome);
    if (kept !== null)
      return {
        authorize_url: kept.authorizeUrl,
        state_hash: kept.stateHash,
        expires_at: apiTimestamp(kept.expiresAt),
        view,
      };
    assertLive(now);
    // The bank offers no redirect, or not yet: the window continues with the step that explains it
    // (connect 5, rule 2).
    throw new ApiError(
      outcome.kind === 'waiting' ? 'connect_error.step_in_progress' : 'connect_error.stale_step',
      { view },
    );
  }

  private startAttempt(session: SessionRecord, requestId: string): Promise<MessageOutcome> {
    if (session.step?.kind !== 'redirect') {
      throw validationFailed([invalid(['body', 'seq'], 'This step does not redirect to a bank.')]);
    }
    return this.workflows.submit(session, {
      seq: session.seq,
      requestId,
      input: { kind: 'redirect_start', redirectId: requestId },
    });
  }

  /**
   * connect 5, rules 3 and 12: the same id returns the same response, although it has advanced the
   * session.
   */
  private async repeat(session: SessionRecord, requestId: string): Promise<MessageOutcome> {
    const isKept =
      session.state !== 'succeeded' &&
      (await this.redirects.expiryOf(session.sessionId, requestId)) !== null;
    if (isKept) return { kind: 'done' };
    const earlier =
      session.state === 'succeeded' ? null : await this.workflows.outcomeOf(session, requestId);
    return earlier ?? { kind: 'rejected', reason: 'StaleStep' };
  }
}
