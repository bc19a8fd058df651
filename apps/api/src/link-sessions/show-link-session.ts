import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { presentLinkSession } from '../../../../domain/session/present-link-session.js';
import { LinkSessionReader } from '../../../../prisma/sessions/link-session-reader.js';
import type { Caller } from '../http/request-state.js';

/** GET /link-sessions/{id}. Source: native-api 3.3. */
@Injectable()
export class ShowLinkSession {
  constructor(private readonly sessions: LinkSessionReader) {}

  /** @throws ApiError */
  async show(caller: Caller, sessionId: string) {
    const found = await this.sessions.find(caller, sessionId);
    if (found === null) throw new ApiError('link_session_error.not_found');
    return {
      ...presentLinkSession(found.session, new Date()),
      exchangeable_token: found.exchangeableToken,
    };
  }
}
