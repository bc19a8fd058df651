import { Inject, Injectable } from '@nestjs/common';
import type { EndUser } from '../../../../domain/session/end-user.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  LinkSessionRepository,
  type Opener,
} from '../../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import { presentOpenedView, type OpenedView } from './session/present-view.js';
import { assertLive } from './session/session-end.js';
import { SessionViews } from './session/session-views.js';
import { SESSION_WORKFLOWS } from './session/session-workflows.token.js';
import type { SessionWorkflows } from './session/session-workflows.js';

/** native-api 8: each leaves a row until the session is removed. */
const MAX_OPENINGS = 200;

/** The newest window of a session gets its current step and a new connect_token. Source: connect 4. */
@Injectable()
export class TakeOverSession {
  constructor(
    private readonly sessions: LinkSessionRepository,
    private readonly views: SessionViews,
    @Inject(SESSION_WORKFLOWS) private readonly workflows: SessionWorkflows,
  ) {}

  /** `opener`: its browser, for a session of the hosted page. `endUser`: for banks that require it; kept sealed. */
  async takeOver(
    session: SessionRecord,
    { requestId, opener, endUser }: { requestId: string; opener: Opener | null; endUser: EndUser },
  ): Promise<OpenedView> {
    const { sessionId, expiresAt } = session;
    if ((await this.sessions.openings(sessionId)) >= MAX_OPENINGS)
      throw new ApiError('connect_error.rate_limited', {
        message: `A session may be opened ${MAX_OPENINGS} times.`,
        retryAfterSeconds: Math.max(1, (expiresAt.getTime() - Date.now()) / 1_000),
      });
    // A session for one bank logs in as soon as its workflow opens it.
    await this.sessions.noteEndUser(sessionId, endUser);
    const outcome = await this.workflows.open(session, requestId);
    const opened = outcome.kind === 'rejected' ? null : await this.sessions.open(sessionId, opener);
    if (opened === null) {
      assertLive(await this.views.reload(sessionId));
      throw new ApiError('connect_error.session_closed');
    }
    // No worker has prepared a step yet; a later attempt will find one.
    if (opened.session.step === null)
      throw new ApiError('connect_error.unavailable', {
        retryAfterSeconds: 2,
        cause: 'No worker prepared the first step of a session in time',
      });
    return presentOpenedView(
      await this.views.of(opened.session),
      opened.session,
      opened.connectToken,
    );
  }
}
