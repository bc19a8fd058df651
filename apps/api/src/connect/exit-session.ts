import { Inject, Injectable } from '@nestjs/common';
import { exitAt } from '../../../../domain/session/session-exit.js';
import { LinkSessionRepository } from '../../../../prisma/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../prisma/sessions/session-record.js';
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
    if (session.state !== 'succeeded' && endOf(session, new Date()) === null) {
      await this.workflows.exit(session, requestId, reason);
      if (session.webhookFormat !== 'native')
        await this.sessions.noteExit(
          session.sessionId,
          exitAt(session.step, {
            at: new Date(),
            institutionId: session.institutionId,
            searchedInVain: reason === 'connect_manually',
          }),
        );
    }
    return { closed: true, ...completionOf(session) };
  }
}
