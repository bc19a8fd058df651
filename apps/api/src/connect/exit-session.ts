import { Inject, Injectable } from '@nestjs/common';
import { exitAt } from '../../../../domain/session/session-exit.js';
import { outcomeOf } from '../../../../domain/session/session-outcome.js';
import { LinkSessionRepository } from '../../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import { completionOf } from './hosted/completion.js';
import { endOf } from './session/session-end.js';
import { SESSION_WORKFLOWS } from './session/session-workflows.token.js';
import type { SessionWorkflows } from './session/session-workflows.js';

/**
 * POST /session/exit: ends the attempt, not the session. After success or an end there is none to
 * exit. Source: connect 4, 5 rule 8.
 */
@Injectable()
export class ExitSession {
  constructor(
    @Inject(SESSION_WORKFLOWS) private readonly workflows: SessionWorkflows,
    private readonly sessions: LinkSessionRepository,
  ) {}

  async exit(
    session: SessionRecord,
    requestId: string,
    reason: string,
  ): Promise<{ closed: true; completion_redirect_uri?: string | null }> {
    const now = new Date();
    if (session.state !== 'succeeded' && endOf(session, now) === null) {
      await this.workflows.exit(session, requestId, reason);
      if (session.options !== null)
        await this.sessions.noteExit(
          session.sessionId,
          exitAt(session.step, {
            at: now,
            institutionId: session.institutionId,
            searchedInVain: reason === 'connect_manually',
          }),
        );
    }
    return { closed: true, ...completionOf(session, outcomeOf(session, now) ?? 'exited') };
  }
}
