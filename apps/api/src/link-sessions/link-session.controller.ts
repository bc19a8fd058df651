import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { ApiError } from '../../../../domain/api-errors.js';
import { presentLink } from '../../../../domain/present-link.js';
import { apiTimestamp } from '../../../../domain/timestamps.js';
import { ExchangeRepository } from '../../../../prisma/repositories/exchange.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, IdempotentUseId, Input, Route, type InputOf } from '../http/route.js';
import { text } from '../http/text-schemas.js';
import { LinkAccess } from '../links/link-access.js';
import { CheckLinkSession } from './check-link-session.js';
import { CreateLinkSession } from './create-link-session.js';
import { CreateLinkSessionRequest } from './create-link-session.request.js';

export const ExchangeTokenRequest = { body: z.object({ exchangeable_token: text(1, 2_048) }) };

/** Source: native-api 3.3. */
@Controller()
export class LinkSessionController {
  constructor(
    private readonly creation: CreateLinkSession,
    private readonly exchanges: ExchangeRepository,
    private readonly access: LinkAccess,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route({ method: 'POST', path: '/link-session', auth: 'bearer', scope: 'link_session:write', body: 'json', status: 201, input: CreateLinkSessionRequest, check: CheckLinkSession, idempotent: true })
  async create(@CurrentCaller() caller: Caller, @Input() { body }: InputOf<typeof CreateLinkSessionRequest>) {
    const { token, expiresAt } = await this.creation.create(caller, body);
    return { link_session_token: token, expires_at: apiTimestamp(expiresAt) };
  }

  @Route({ method: 'POST', path: '/link-session/exchange-token', auth: 'bearer', scope: 'link_session:write', body: 'json', status: 201, input: ExchangeTokenRequest, idempotent: true })
  async exchange(@CurrentCaller() caller: Caller, @Input() { body }: InputOf<typeof ExchangeTokenRequest>, @IdempotentUseId() use: Uint8Array | null) {
    const exchanged = await this.exchanges.exchange(caller, body.exchangeable_token, use);
    if (exchanged === null) throw new ApiError('link_session_error.invalid_token_exchange');
    const link = await this.access.find(caller, exchanged.linkId);
    return { link_id: link.linkId, link: presentLink(link, this.settings.baseUrl), customer_user: { id: exchanged.customerUserId } };
  }
}
