import { Controller, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { presentLink } from '../../../../domain/link/present-link.js';
import { hostedOptions } from '../../../../domain/session/hosted-session.js';
import { DuplicateInstitution } from '../../../../domain/session/duplicate-institution.js';
import { TrialLimitReached } from '../../../../domain/link/trial-limit.js';
import { apiTimestamp } from '../../../../domain/api/timestamps.js';
import {
  ExchangeRepository,
  type Exchanged,
} from '../../../../prisma/work/linking/exchange.repository.js';
import type { CreatedSession } from '../../../../prisma/links/sessions/create-session.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { hostedLink } from '../connect/hosted/hosted-page.js';
import type { Caller } from '../http/request-state.js';
import type { KeyUse } from '../http/key-use.js';
import {
  CheckResult,
  CurrentCaller,
  CurrentKeyUse,
  Input,
  Route,
  type InputOf,
} from '../http/route.js';
import { SESSION_LIMITS } from '../sandbox/custom-sandbox-data.schema.js';
import { text } from '../schemas/text.schema.js';
import { linkSessionDocs } from './link-session.docs.js';
import { CreateLinkSession } from './create-link-session.js';
import { CreateLinkSessionRequest } from './create-link-session.request.js';
import type { LinkSessionPlan } from './link-session-plan.js';
import { ListLinkSessions } from './list-link-sessions.request.js';
import { ReadLinkSessions } from './read-link-sessions.js';
import { PlanLinkSession } from './plan-link-session.js';
import { customerUser } from '../schemas/customer-user.schema.js';

export const ExchangeTokenRequest = {
  body: z.object({
    exchangeable_token: text(1, 2_048).describe('The token that the SDK or the session returned.'),
    expected_customer_user_id: customerUser.shape.id
      .optional()
      .describe(
        "The user who is signed in at the app. Another user's link is refused with 403, and the token stays usable. Required for the result of a session that was continued without its token.",
      ),
  }),
};

/** Source: native-api 3.3. */
@Controller()
export class LinkSessionController {
  constructor(
    private readonly creation: CreateLinkSession,
    private readonly reading: ReadLinkSessions,
    private readonly exchanges: ExchangeRepository,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('POST /link-session', {
    docs: linkSessionDocs.create,
    scope: 'link_session:write',
    status: 201,
    input: CreateLinkSessionRequest,
    limits: SESSION_LIMITS,
    check: PlanLinkSession,
    idempotent: true,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @CheckResult() plan: LinkSessionPlan,
    @CurrentKeyUse() use: KeyUse,
  ) {
    const { hosted } = plan.request;
    const present = ({ sessionId, token, expiresAt }: CreatedSession) => ({
      link_session_token: token,
      expires_at: apiTimestamp(expiresAt),
      session_id: sessionId,
      hosted_url: hosted === undefined ? null : hostedLink(this.settings.connectBaseUrl, token),
    });
    const options = {
      andThen: use.keeping(present),
      ...(hosted === undefined
        ? {}
        : { api: { format: 'native' as const, options: hostedOptions(hosted) } }),
    };
    return present(await this.creation.create(caller, plan, options));
  }

  @Route('GET /link-sessions', {
    reads: { by: 'page', parameter: 'limit', rows: 500, inTurn: true },
    docs: linkSessionDocs.list,
    scope: 'links:read',
    input: ListLinkSessions,
  })
  list(@CurrentCaller() caller: Caller, @Input() { query }: InputOf<typeof ListLinkSessions>) {
    return this.reading.list(caller, query);
  }

  @Route('GET /link-sessions/:id', {
    reads: { by: 'object' },
    docs: linkSessionDocs.show,
    scope: ['links:read', 'link_session:write'],
  })
  show(@CurrentCaller() caller: Caller, @Param('id') sessionId: string) {
    return this.reading.show(caller, sessionId);
  }

  @Route('POST /link-session/exchange-token', {
    docs: linkSessionDocs.exchange,
    scope: 'link_session:write',
    status: 201,
    input: ExchangeTokenRequest,
    idempotent: true,
  })
  async exchange(
    @CurrentCaller() caller: Caller,
    @Input() { body }: InputOf<typeof ExchangeTokenRequest>,
    @CurrentKeyUse() use: KeyUse,
  ) {
    const present = ({ link, customerUserId }: Exchanged) => ({
      link_id: link.linkId,
      link: presentLink(link, this.settings),
      customer_user: { id: customerUserId },
    });
    const outcome = await this.exchanges
      .exchange(caller, body.exchangeable_token, {
        expectedUserId: body.expected_customer_user_id,
        andThen: use.keeping(present),
      })
      .catch((error: unknown) => {
        // link-lifecycle 2.5: another session linked the institution first.
        if (error instanceof DuplicateInstitution)
          throw new ApiError('link_session_error.invalid_token_exchange');
        if (!(error instanceof TrialLimitReached)) throw error;
        throw new ApiError('link_session_error.forbidden_config', {
          message: 'The trial limit of this client is reached.',
        });
      });
    if (outcome.kind === 'unusable')
      throw new ApiError('link_session_error.invalid_token_exchange');
    if (outcome.kind === 'user_required') {
      throw new ApiError('link_error.forbidden_action', {
        message:
          'The session was continued in a window without its token. Send expected_customer_user_id, the user who is signed in.',
      });
    }
    if (outcome.kind === 'other_user') {
      throw new ApiError('link_error.forbidden_action', {
        message: 'The link belongs to another customer user than the one expected.',
      });
    }
    return present(outcome.exchanged);
  }
}
