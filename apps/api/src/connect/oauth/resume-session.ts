import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { isTokenShaped } from '../../../../../domain/api/token-format.js';
import { continueOwned } from '../../../../../prisma/base/database/work-origin.js';
import { LinkSessionRepository } from '../../../../../prisma/links/sessions/link-session.repository.js';
import { OAuthReturnRepository } from '../../../../../prisma/links/sessions/oauth-return.repository.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { ConnectLimits } from '../connect-limits.js';
import { ownerOf } from '../../http/request-state.js';
import type { InputOf } from '../../http/route.js';
import { mayOpenSession } from '../page-origin.js';
import { presentOpenedView, type OpenedView } from '../session/present-view.js';
import { assertLive } from '../session/session-end.js';
import { SessionViews } from '../session/session-views.js';
import { StepResponses } from '../session/step-responses.js';
import type { ResumeSessionRequest } from './oauth.requests.js';
import { stateIdOf } from './oauth-state-id.js';
import { ReturnFromBank } from './return-from-bank.js';

/**
 * POST /session/resume: continues the session in the window the user returned to, which did not
 * start it. Source: connect 7, "Session swapping".
 */
@Injectable()
export class ResumeSession {
  constructor(
    private readonly sessions: LinkSessionRepository,
    private readonly returns: OAuthReturnRepository,
    private readonly returning: ReturnFromBank,
    private readonly views: SessionViews,
    private readonly responses: StepResponses,
    private readonly limits: ConnectLimits,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** `browser`: the cookie of the caller, which a session of the hosted page is bound to. */
  async resume(
    request: InputOf<typeof ResumeSessionRequest>['body'],
    browser: string | null,
  ): Promise<OpenedView> {
    const { url, link_session_token: token, request_id: requestId } = request;
    if (token !== null && !(await this.isKnown(token)))
      throw new ApiError('connect_error.invalid_session_token');
    const stateId = stateIdOf(url);
    const sessionId = stateId === null ? null : await this.returns.sessionOf(stateId);
    if (stateId === null || sessionId === null)
      throw new ApiError('connect_error.oauth_state_invalid');
    const session = await this.views.reload(sessionId);
    continueOwned(ownerOf(session));
    this.limits.take(sessionId);
    if (!mayOpenSession(request, session, this.settings.connectBaseUrl))
      throw new ApiError('connect_error.origin_not_allowed');
    assertLive(session);

    const resumed = await this.returns.resume(stateId, requestId, {
      linkSessionToken: token,
      browser,
    });
    if (resumed.kind === 'refused') throw new ApiError('connect_error.oauth_state_invalid');
    const outcome = await this.returning.redeem(sessionId, resumed.next);
    const now = await this.views.reload(sessionId);
    assertLive(now);
    // The session now belongs to this window, at any step.
    return presentOpenedView(
      await this.responses.shown(now, session.seq, outcome),
      now,
      resumed.connectToken,
    );
  }

  private async isKnown(token: string): Promise<boolean> {
    const found = isTokenShaped(token) ? await this.sessions.findByToken(token) : null;
    if (found !== null) continueOwned(ownerOf(found));
    return found !== null;
  }
}
