import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { connectDocs } from './connect.docs.js';
import { endUserOf } from './end-user-of.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import { CurrentSession, Input, Route, type InputOf } from '../http/route.js';
import {
  ExitSessionRequest,
  ExtendSessionRequest,
  FinishSessionRequest,
  OpenSessionRequest,
  PollSessionRequest,
  ReopenSessionRequest,
  SearchInstitutionsRequest,
  SubmitStepRequest,
} from './connect.requests.js';
import { ExitSession } from './exit-session.js';
import { ExtendSession } from './extend-session.js';
import { FinishSession } from './finish-session.js';
import { BrowserCookie } from './hosted/browser-cookie.js';
import { OpenSession } from './open-session.js';
import { PollSession } from './poll-session.js';
import { ReopenSession } from './reopen-session.js';
import { assertLive } from './session/session-end.js';
import { SessionViews } from './session/session-views.js';
import { SubmitStep } from './submit-step.js';

/** The calls of the hosted Connect app. Source: connect 4. */
@Controller()
export class ConnectController {
  constructor(
    private readonly opening: OpenSession,
    private readonly reopening: ReopenSession,
    private readonly cookie: BrowserCookie,
    private readonly polling: PollSession,
    private readonly steps: SubmitStep,
    private readonly extending: ExtendSession,
    private readonly finishing: FinishSession,
    private readonly exiting: ExitSession,
    private readonly views: SessionViews,
    private readonly institutions: InstitutionRepository,
  ) {}

  @Route('POST /connect/api/session/open', {
    docs: connectDocs.open,
    auth: 'none',
    family: 'connect',
    input: OpenSessionRequest,
  })
  async open(
    @Input() { body }: InputOf<typeof OpenSessionRequest>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { view, browser } = await this.opening.open(body, {
      endUser: endUserOf(request),
      browser: this.cookie.read(request),
    });
    if (browser !== null) this.cookie.write(response, browser);
    return view;
  }

  @Route('POST /connect/api/session/reopen', {
    docs: connectDocs.reopen,
    auth: 'none',
    family: 'connect',
    input: ReopenSessionRequest,
  })
  reopen(@Input() { body }: InputOf<typeof ReopenSessionRequest>, @Req() request: Request) {
    return this.reopening.reopen(body, {
      endUser: endUserOf(request),
      browser: this.cookie.read(request),
    });
  }

  @Route('GET /connect/api/session', {
    reads: { by: 'object', waits: 20 },
    docs: connectDocs.poll,
    auth: 'connect',
    input: PollSessionRequest,
  })
  poll(
    @CurrentSession() session: SessionRecord,
    @Input() { query }: InputOf<typeof PollSessionRequest>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return this.polling.poll(session, {
      authorization: request.headers.authorization,
      afterSeq: query.after_seq,
      waitSeconds: query.wait,
      gone: gone.signal,
    });
  }

  @Route('POST /connect/api/session/step', {
    docs: connectDocs.step,
    auth: 'connect',
    input: SubmitStepRequest,
  })
  step(
    @CurrentSession() session: SessionRecord,
    @Input() { body }: InputOf<typeof SubmitStepRequest>,
  ) {
    return this.steps.submit(session, body);
  }

  @Route('POST /connect/api/session/extend', {
    docs: connectDocs.extend,
    auth: 'connect',
    input: ExtendSessionRequest,
  })
  extend(@CurrentSession() session: SessionRecord) {
    return this.extending.extend(session);
  }

  @Route('POST /connect/api/session/finish', {
    docs: connectDocs.finish,
    auth: 'connect',
    input: FinishSessionRequest,
  })
  finish(
    @CurrentSession() session: SessionRecord,
    @Input() { body }: InputOf<typeof FinishSessionRequest>,
  ) {
    return this.finishing.finish(session, body.request_id);
  }

  @Route('POST /connect/api/session/exit', {
    docs: connectDocs.exit,
    auth: 'connect',
    input: ExitSessionRequest,
  })
  exit(
    @CurrentSession() session: SessionRecord,
    @Input() { body }: InputOf<typeof ExitSessionRequest>,
  ) {
    return this.exiting.exit(session, body.request_id, body.reason);
  }

  @Route('GET /connect/api/institutions', {
    reads: { by: 'page', parameter: 'limit', rows: 50 },
    docs: connectDocs.search,
    auth: 'connect',
    input: SearchInstitutionsRequest,
  })
  async search(
    @CurrentSession() session: SessionRecord,
    @Input() { query }: InputOf<typeof SearchInstitutionsRequest>,
  ) {
    assertLive(session);
    const { institutions, next } = await this.institutions
      .search(this.views.filterOf(session), {
        query: query.q.trim(),
        country: query.country ?? null,
        cursor: query.cursor === undefined || query.cursor === '' ? null : query.cursor,
        limit: query.limit,
      })
      .catch((error: unknown) => {
        if (!(error instanceof RangeError)) throw error;
        throw validationFailed([invalid(['query', 'cursor'], 'The cursor is not valid.')]);
      });
    return {
      institutions: institutions.map((institution) => this.views.institution(institution, session)),
      cursor: { next },
    };
  }
}
