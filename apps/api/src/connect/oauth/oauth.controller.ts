import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import { bearerToken } from '../../http/bearer-token.js';
import { CurrentSession, Input, Route, type InputOf } from '../../http/route.js';
import { oauthDocs } from './oauth.docs.js';
import {
  FindResumableRequest,
  ResumeSessionRequest,
  ReturnFromBankRequest,
  StartRedirectRequest,
} from './oauth.requests.js';
import { BrowserCookie } from '../hosted/browser-cookie.js';
import { ResumableReturns } from './resumable-returns.js';
import { ResumeSession } from './resume-session.js';
import { ReturnFromBank } from './return-from-bank.js';
import { StartRedirect } from './start-redirect.js';

/** The calls of the hosted app for OAuth redirects to a bank. Source: connect 4 and 7. */
@Controller()
export class OAuthController {
  constructor(
    private readonly starting: StartRedirect,
    private readonly returning: ReturnFromBank,
    private readonly resumable: ResumableReturns,
    private readonly resuming: ResumeSession,
    private readonly cookie: BrowserCookie,
  ) {}

  @Route('POST /connect/api/session/oauth/start', {
    docs: oauthDocs.start,
    auth: 'connect',
    input: StartRedirectRequest,
  })
  start(
    @CurrentSession() session: SessionRecord,
    @Input() { body }: InputOf<typeof StartRedirectRequest>,
  ) {
    return this.starting.start(session, { seq: body.seq, requestId: body.request_id });
  }

  @Route('POST /connect/api/session/oauth/return', {
    docs: oauthDocs.return,
    auth: 'connect',
    input: ReturnFromBankRequest,
  })
  return(
    @CurrentSession() session: SessionRecord,
    @Input() { body }: InputOf<typeof ReturnFromBankRequest>,
    @Req() request: Request,
  ) {
    return this.returning.handOver(session, {
      address: body.url,
      connectToken: bearerToken(request.headers.authorization) ?? '',
    });
  }

  @Route('POST /connect/api/session/resumable', {
    docs: oauthDocs.resumable,
    auth: 'none',
    family: 'connect',
    input: FindResumableRequest,
  })
  async findResumable(@Input() { body }: InputOf<typeof FindResumableRequest>) {
    const isResumable = await this.resumable.has(body.url, body.link_session_token);
    return { resumable: isResumable };
  }

  @Route('POST /connect/api/session/resume', {
    docs: oauthDocs.resume,
    auth: 'none',
    family: 'connect',
    input: ResumeSessionRequest,
  })
  resume(@Input() { body }: InputOf<typeof ResumeSessionRequest>, @Req() request: Request) {
    return this.resuming.resume(body, this.cookie.read(request));
  }
}
