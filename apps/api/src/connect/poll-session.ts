import { Inject, Injectable } from '@nestjs/common';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import { STOPPING } from '../http/stopping.js';
import type { View } from './session/present-view.js';
import { SessionAuthenticator } from './session/session-authenticator.js';
import { SessionNotifications } from './session/session-notifications.js';
import { assertLive } from './session/session-end.js';
import { SessionViews } from './session/session-views.js';

/** Covers lost notifications and time limits, which send none. */
const POLL_INTERVAL_MS = 1_000;

export interface Poll {
  authorization: string | undefined;
  afterSeq: number;
  waitSeconds: number;
  /** Aborts when the caller disconnects. */
  gone: AbortSignal;
}

/**
 * GET /session: returns the step, waiting until it is newer than the one the caller knows. Source:
 * connect 4.
 */
@Injectable()
export class PollSession {
  constructor(
    private readonly authenticator: SessionAuthenticator,
    private readonly notifications: SessionNotifications,
    private readonly views: SessionViews,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  async poll(
    known: SessionRecord,
    { authorization, afterSeq, waitSeconds, gone }: Poll,
  ): Promise<View> {
    const until = Date.now() + waitSeconds * 1000;
    for (let session = known; ;) {
      assertLive(session);
      const left = until - Date.now();
      if (session.seq > afterSeq || left <= 0 || this.stopping.aborted || gone.aborted)
        return this.views.of(session);
      session = await this.nextRead(
        session.sessionId,
        authorization,
        { gone, withinMs: Math.min(left, POLL_INTERVAL_MS) },
        afterSeq,
      );
    }
  }

  /**
   * Reads the session now, and again after the next change. Listening starts before the read, so no
   * change is missed.
   */
  private async nextRead(
    sessionId: string,
    authorization: string | undefined,
    { gone, withinMs }: { gone: AbortSignal; withinMs: number },
    afterSeq: number,
  ): Promise<SessionRecord> {
    const pause = new AbortController();
    const change = this.notifications.changeOf(
      sessionId,
      AbortSignal.any([pause.signal, this.stopping, gone]),
    );
    const timer = setTimeout(() => pause.abort(), withinMs);
    try {
      // The window may have lost the session in the meantime, so the token is checked again.
      const session = await this.authenticator.authenticate(authorization);
      if (session.seq > afterSeq) return session;
      await change;
      return await this.authenticator.authenticate(authorization);
    } finally {
      clearTimeout(timer);
      pause.abort();
    }
  }
}
