import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { LinkSessionRepository } from '../../../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import { bearerToken } from '../../http/bearer-token.js';

/**
 * Finds the session of a connect_token, and checks that its window still holds it. Source: connect
 * 4, 6.
 */
@Injectable()
export class SessionAuthenticator {
  constructor(private readonly sessions: LinkSessionRepository) {}

  /** @throws ApiError */
  async authenticate(authorization: string | undefined): Promise<SessionRecord> {
    const token = bearerToken(authorization);
    const holder = token === null ? null : await this.sessions.findByConnectToken(token);
    if (holder === null) throw new ApiError('connect_error.invalid_session_token');
    if (!holder.current) throw new ApiError('connect_error.session_moved');
    return holder.session;
  }
}
