import { Inject, Injectable } from '@nestjs/common';
import type { EndUser } from '../../../../domain/session/end-user.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { isAnnounced, outcomeOf } from '../../../../domain/session/session-outcome.js';
import { isHosted } from '../../../../domain/session/session-options.js';
import { continueOwned } from '../../../../prisma/base/database/work-origin.js';
import {
  isBoundTo,
  LinkSessionRepository,
} from '../../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { ownerOf } from '../http/request-state.js';
import type { InputOf } from '../http/route.js';
import { ConnectLimits } from './connect-limits.js';
import type { ReopenSessionRequest } from './connect.requests.js';
import { presentEnd, type ReopenedSession } from './hosted/present-end.js';
import { mayOpenSession } from './page-origin.js';
import { assertLive, endOf } from './session/session-end.js';
import { TakeOverSession } from './take-over-session.js';

/**
 * POST /session/reopen: a reloaded hosted page continues its session, or shows how it ended. Source:
 * connect 4, "Reopening".
 */
@Injectable()
export class ReopenSession {
  constructor(
    private readonly sessions: LinkSessionRepository,
    private readonly limits: ConnectLimits,
    private readonly taking: TakeOverSession,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** `browser`: the cookie of the caller. The id of a session is not a secret, so the cookie alone is the proof. */
  async reopen(
    request: InputOf<typeof ReopenSessionRequest>['body'],
    { endUser, browser }: { endUser: EndUser; browser: string | null },
  ): Promise<ReopenedSession> {
    const session = await this.sessions.get(request.session_id);
    if (session === null || browser === null || !isHosted(session) || !isBoundTo(session, browser))
      throw new ApiError('connect_error.invalid_session_token');
    continueOwned(ownerOf(session));
    this.limits.take(session.sessionId);
    if (!mayOpenSession(request, session, this.settings.connectBaseUrl))
      throw new ApiError('connect_error.origin_not_allowed');
    const now = new Date();
    if (!mayContinue(session, now)) return { view: null, end: end(session, now) };
    const view = await this.taking.takeOver(session, {
      requestId: request.request_id,
      opener: { secret: browser, requestId: request.request_id },
      endUser,
    });
    return { view, end: null };
  }
}

/**
 * A result that a window has is shown to no other one (connect 4), and a reload is not the decision
 * to start again after leaving.
 */
function mayContinue(session: SessionRecord, now: Date): boolean {
  return endOf(session, now) === null && session.finishedAt === null && session.exit === null;
}

/** @throws ApiError for an end that its user did not cause */
function end(session: SessionRecord, now: Date): NonNullable<ReopenedSession['end']> {
  const outcome = outcomeOf(session, now);
  if (isAnnounced(outcome)) return presentEnd(session, outcome);
  assertLive(session, now);
  throw new ApiError('connect_error.session_closed');
}
