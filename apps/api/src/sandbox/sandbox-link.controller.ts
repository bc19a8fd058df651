import { Controller, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { badState } from '../../../../domain/errors/api-errors.js';
import { presentLink } from '../../../../domain/link/present-link.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { sandboxLinkDocs } from './sandbox-link.docs.js';
import { SESSION_LIMITS } from './custom-sandbox-data.schema.js';
import { CreateSandboxLink } from './create-sandbox-link.js';
import { ExpireAuth } from './expire-auth.js';
import { RunHoldingsScriptRequest } from './holdings-script.requests.js';
import { RunLiabilitiesScriptRequest } from './liabilities-script.requests.js';
import { RunSandboxScript } from './run-sandbox-script.js';
import { CreateSandboxLinkRequest } from './sandbox-link.requests.js';
import { RunScriptRequest } from './script.requests.js';

export const ExpireAuthRequest = {
  body: z.object({
    mode: z
      .enum(['next_fetch', 'now'])
      .meta({ id: 'AuthExpiryMode', description: 'At the next refresh, or now.' })
      .default('next_fetch')
      .describe('When the permission ends.'),
  }),
};

/** Source: link-lifecycle 14. */
@Controller()
export class SandboxLinkController {
  constructor(
    private readonly links: CreateSandboxLink,
    private readonly scripts: RunSandboxScript,
    private readonly permissions: ExpireAuth,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('POST /sandbox/link', {
    docs: sandboxLinkDocs.create,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: CreateSandboxLinkRequest,
    limits: SESSION_LIMITS,
    check: CreateSandboxLink,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: InputOf<typeof CreateSandboxLinkRequest>,
  ) {
    const result = await this.links.create(caller, body);
    if (result.kind === 'token')
      return {
        result: 'exchangeable_token',
        exchangeable_token: result.exchangeableToken,
        expires_in: result.expiresInSeconds,
      };
    if (result.kind === 'refused')
      throw badState({ state: result.link.state, error: result.link.errorCode });
    return {
      result: 'link',
      link_id: result.link.linkId,
      link: presentLink(result.link, this.settings),
    };
  }

  @Route('POST /sandbox/links/:id/transactions', {
    docs: sandboxLinkDocs.runScript,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: RunScriptRequest,
  })
  runScript(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof RunScriptRequest>,
  ) {
    return this.scripts.run(caller, linkId, body);
  }

  @Route('POST /sandbox/links/:id/holdings', {
    docs: sandboxLinkDocs.runHoldingsScript,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: RunHoldingsScriptRequest,
  })
  runHoldingsScript(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof RunHoldingsScriptRequest>,
  ) {
    return this.scripts.runOnHoldings(caller, linkId, body);
  }

  @Route('POST /sandbox/links/:id/liabilities', {
    docs: sandboxLinkDocs.runLiabilitiesScript,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: RunLiabilitiesScriptRequest,
  })
  runLiabilitiesScript(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof RunLiabilitiesScriptRequest>,
  ) {
    return this.scripts.runOnLiabilities(caller, linkId, body);
  }

  @Route('POST /sandbox/links/:id/expire-auth', {
    docs: sandboxLinkDocs.expireAuth,
    scope: 'sandbox:write',
    sandboxOnly: true,
    input: ExpireAuthRequest,
  })
  async expireAuth(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof ExpireAuthRequest>,
  ) {
    return presentLink(await this.permissions.expire(caller, linkId, body.mode), this.settings);
  }
}
