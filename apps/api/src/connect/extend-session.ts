import { Injectable } from '@nestjs/common';
import { LinkSessionRepository } from '../../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import type { View } from './session/present-view.js';
import { assertLive } from './session/session-end.js';
import { SessionViews } from './session/session-views.js';

/**
 * POST /session/extend: the user requests more time without submitting the step. connect 12: any
 * action extends the time limits; link-lifecycle 3: never past the total.
 */
@Injectable()
export class ExtendSession {
  constructor(
    private readonly sessions: LinkSessionRepository,
    private readonly views: SessionViews,
  ) {}

  async extend(known: SessionRecord): Promise<View> {
    assertLive(known);
    await this.sessions.extend(known.sessionId);
    const session = await this.views.reload(known.sessionId);
    assertLive(session);
    return this.views.of(session);
  }
}
