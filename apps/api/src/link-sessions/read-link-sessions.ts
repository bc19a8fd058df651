import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { permits } from '../../../../domain/api/scopes.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { presentLinkSession } from '../../../../domain/session/present-link-session.js';
import { LinkSessionReader } from '../../../../prisma/links/sessions/link-session-reader.js';
import type { Caller } from '../http/request-state.js';
import { filterOf, type ListLinkSessions } from './list-link-sessions.request.js';
import { decodeSessionPosition, encodeSessionPosition } from './session-page-cursor.js';

/** Link sessions as their app reads them. Source: native-api 3.3. */
@Injectable()
export class ReadLinkSessions {
  constructor(private readonly sessions: LinkSessionReader) {}

  /** GET /link-sessions. @throws ApiError */
  async list(caller: Caller, query: z.output<typeof ListLinkSessions.query>) {
    const filter = filterOf(query);
    const after = decodeSessionPosition(caller, filter, query.cursor);
    const { sessions, next } = await this.sessions.list(caller, filter, {
      after,
      limit: query.limit,
    });
    const now = new Date();
    return {
      link_sessions: sessions.map((session) => presentLinkSession(session, now)),
      next_cursor: encodeSessionPosition(caller, filter, next),
    };
  }

  /** GET /link-sessions/{id}. The token is for those who may exchange it. @throws ApiError */
  async show(caller: Caller, sessionId: string) {
    const found = await this.sessions.find(caller, sessionId);
    if (found === null) throw new ApiError('link_session_error.not_found');
    const mayExchange = permits(caller.scopes, 'link_session:write');
    return {
      ...presentLinkSession(found.session, new Date()),
      exchangeable_token: mayExchange ? found.exchangeableToken : null,
    };
  }
}
