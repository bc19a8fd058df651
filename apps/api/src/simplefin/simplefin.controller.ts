import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readAccountRequest } from '../../../../domain/simplefin/account-request.js';
import { inChunks } from '../../../../prisma/views/exports/text-chunks.js';
import { keptFile, sendKept } from '../http/kept-file.js';
import { streamJson } from '../http/stream-json.js';
import { StreamTurns } from '../http/stream-turns.js';
import { ClaimToken } from './claim-token.js';
import { CREATE_PAGE_POLICY, createPage } from './create-page.js';
import { ShareAccounts } from './share-accounts.js';
import { accessOf } from './simplefin-checks.js';
import { sendText } from './simplefin-errors.js';
import { SimplefinRoute } from './simplefin-route.js';

const VERSIONS = ['1.0', '2.0'];

/** A SimpleFIN server, through which finance apps read the accounts of a user. Source: native-api 3.11. */
@Controller()
export class SimplefinController {
  private readonly page = keptFile(Buffer.from(createPage()), 'text/html; charset=utf-8');

  constructor(
    private readonly claims: ClaimToken,
    private readonly accounts: ShareAccounts,
    private readonly turns: StreamTurns,
  ) {}

  @SimplefinRoute('GET /simplefin/info', { reads: { by: 'object' }, credential: 'none' })
  info() {
    return { versions: VERSIONS };
  }

  @SimplefinRoute('GET /simplefin/create', { reads: { by: 'file' }, credential: 'none' })
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', CREATE_PAGE_POLICY);
    await sendKept(request, response, this.page);
  }

  @SimplefinRoute('POST /simplefin/claim/:token', { reads: null, credential: 'setup token' })
  claim(@Param('token') secret: string, @Res() response: Response): Promise<void> {
    return this.claims.respond(secret, response);
  }

  @SimplefinRoute('GET /simplefin/accounts', {
    reads: { by: 'stream', rows: 500 },
    credential: 'access',
  })
  async listAccounts(@Req() request: Request, @Res() response: Response): Promise<void> {
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
    const asked = readAccountRequest(query);
    if (typeof asked === 'string')
      sendText(response, 400, `${asked} must be a Unix epoch timestamp.`);
    else
      await streamJson(response, inChunks(this.accounts.fragments(accessOf(request), asked)), {
        turns: this.turns,
        kind: 'simplefin',
      });
  }
}
