import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readAccountRequest } from '../../../../domain/simplefin/account-request.js';
import { inChunks } from '../../../../prisma/views/exports/text-chunks.js';
import {
  SimplefinTokenRepository,
  type SimplefinAccess,
} from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { CallLimits } from '../http/call-limits.js';
import { keptFile, sendKept } from '../http/kept-file.js';
import { ownerOf, stateOf } from '../http/request-state.js';
import { streamJson } from '../http/stream-json.js';
import { StreamTurns } from '../http/stream-turns.js';
import { readCredential } from './basic-credential.js';
import { ClaimToken } from './claim-token.js';
import { CREATE_PAGE_POLICY, createPage } from './create-page.js';
import { ShareAccounts } from './share-accounts.js';
import { SimplefinForbidden, sendText } from './simplefin-error.filter.js';
import { SimplefinRoute } from './simplefin-route.js';

const VERSIONS = ['1.0', '2.0'];

/** A SimpleFIN server, through which finance apps read the accounts of a user. Source: native-api 3.11. */
@Controller()
export class SimplefinController {
  private readonly page = keptFile(Buffer.from(createPage()), 'text/html; charset=utf-8');

  constructor(
    private readonly tokens: SimplefinTokenRepository,
    private readonly claims: ClaimToken,
    private readonly accounts: ShareAccounts,
    private readonly turns: StreamTurns,
    private readonly calls: CallLimits,
  ) {}

  @SimplefinRoute('GET /simplefin/info', { by: 'object' })
  info() {
    return { versions: VERSIONS };
  }

  @SimplefinRoute('GET /simplefin/create', { by: 'file' })
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', CREATE_PAGE_POLICY);
    await sendKept(request, response, this.page);
  }

  @SimplefinRoute('POST /simplefin/claim/:token', null)
  claim(@Param('token') secret: string, @Res() response: Response): Promise<void> {
    return this.claims.respond(secret, response);
  }

  @SimplefinRoute('GET /simplefin/accounts', { by: 'stream', rows: 500 })
  async listAccounts(@Req() request: Request, @Res() response: Response): Promise<void> {
    const access = await this.accessOf(request);
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
    const asked = readAccountRequest(query);
    if (typeof asked === 'string')
      sendText(response, 400, `${asked} must be a Unix epoch timestamp.`);
    else
      await streamJson(response, inChunks(this.accounts.fragments(access, asked)), {
        turns: this.turns,
        kind: 'simplefin',
      });
  }

  /** @throws SimplefinForbidden, ApiError */
  private async accessOf(request: Request): Promise<SimplefinAccess> {
    const credential = readCredential(request.headers.authorization);
    const state = stateOf(request);
    const access = await state.anonymous.authenticate(credential, async () =>
      credential === null ? null : this.tokens.use(credential),
    );
    if (access === null) throw new SimplefinForbidden();
    state.owner = ownerOf(access);
    this.calls.takeOfFinanceApp(access, access.tokenId);
    return access;
  }
}
