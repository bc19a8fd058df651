import { Injectable } from '@nestjs/common';
import { continueOwned } from '../../../../../prisma/base/database/work-origin.js';
import { OAuthReturnRepository } from '../../../../../prisma/links/sessions/oauth-return.repository.js';
import { ownerOf } from '../../http/request-state.js';
import { ConnectLimits } from '../connect-limits.js';
import { endOf } from '../session/session-end.js';
import { SessionViews } from '../session/session-views.js';
import { stateIdOf } from './oauth-state-id.js';

/**
 * POST /session/resumable: whether an app that a link has opened would show anything but an error.
 * An address names a session only to those who have it, so the caller learns nothing that
 * `/session/resume` would not show. Source: connect 7.
 */
@Injectable()
export class ResumableReturns {
  constructor(
    private readonly returns: OAuthReturnRepository,
    private readonly views: SessionViews,
    private readonly limits: ConnectLimits,
  ) {}

  async has(address: string, linkSessionToken: string | null): Promise<boolean> {
    const stateId = stateIdOf(address);
    const sessionId = stateId === null ? null : await this.returns.sessionOf(stateId);
    if (stateId === null || sessionId === null) return false;
    const session = await this.views.reload(sessionId);
    continueOwned(ownerOf(session));
    // In a bucket of its own, so that questions take no calls from the session.
    this.limits.take(`resumable ${sessionId}`);
    if (endOf(session, new Date()) !== null) return false;
    return this.returns.isResumable(stateId, { linkSessionToken, browser: null });
  }
}
