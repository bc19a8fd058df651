import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isTemporaryDatabaseFailure } from '../../../../../prisma/base/database/database-failures.js';
import {
  OAuthStateRepository,
  type Callback,
} from '../../../../../prisma/links/sessions/oauth-state.repository.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { Route } from '../../http/route.js';
import { UnavailableLog } from '../../http/unavailable-log.js';
import { callbackDocs } from './callback.docs.js';
import { CALLBACK_PAGE_POLICY, callbackPage, type CallbackPage } from './callback-page.js';

const STATUS: Readonly<Record<CallbackPage, number>> = {
  unknown: 400,
  unavailable: 503,
  busy: 429,
};
const RETRY_AFTER_SECONDS = 5;

/**
 * Banks redirect the user's browser to this address. The response reflects nothing of the request. Source:
 * connect 7, steps 3 and 7.
 */
@Controller()
export class CallbackController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly redirects: OAuthStateRepository,
    private readonly unavailable: UnavailableLog,
  ) {}

  @Route('GET /connect/oauth/callback', {
    reads: { by: 'object' },
    docs: callbackDocs.sendOn,
    auth: 'none',
    family: 'connect',
  })
  async sendOn(@Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      // A HEAD request, such as a link preview, must not consume the state.
      const callback = request.method === 'GET' ? this.read(request.originalUrl) : null;
      const address = callback === null ? null : await this.redirects.takeCallback(callback);
      if (address === null) sendPage(request, response, 'unknown');
      else response.status(303).setHeader('Location', inAscii(address)).end();
    } catch (error) {
      if (!isTemporaryDatabaseFailure(error)) throw error;
      this.unavailable.report(error, request);
      // The state is not consumed, so the user may reload the page.
      response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      sendPage(request, response, 'unavailable');
    }
  }

  /**
   * Null for requests no bank sends: each parameter appears at most once, and never a code with an error.
   */
  private read(called: string): Callback | null {
    const query = called.split('?').slice(1).join('?');
    const parameters = new URLSearchParams(query);
    const [state, secondState] = parameters.getAll('state');
    const [issuer = null, secondIssuer] = parameters.getAll('iss');
    const outcomes = parameters.getAll('code').length + parameters.getAll('error').length;
    if (
      state === undefined ||
      secondState !== undefined ||
      secondIssuer !== undefined ||
      outcomes > 1
    )
      return null;
    const hasOutcome = outcomes === 1;
    return {
      state,
      issuer,
      hasOutcome,
      address: `${this.settings.baseUrl}/connect/oauth/callback?${query}`,
    };
  }
}

function sendPage(request: Request, response: Response, page: CallbackPage): void {
  response.setHeader('Content-Security-Policy', CALLBACK_PAGE_POLICY);
  response.setHeader('Vary', 'Accept-Language');
  response
    .status(STATUS[page])
    .type('html')
    .send(callbackPage(page, request.headers['accept-language'] ?? ''));
}

/** Headers are limited to ASCII, but a redirect_uri may use any script. */
function inAscii(address: string): string {
  return /^[\u0021-\u007e]*$/.test(address) ? address : new URL(address).href;
}
