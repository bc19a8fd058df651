import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { pagePolicy } from '../../http/html-page.js';
import { keptFile, sendKept, type KeptFile } from '../../http/kept-file.js';
import { Route } from '../../http/route.js';
import { PLAID_PATHS } from '../plaid-paths.js';
import { overviewDocs } from './overview.docs.js';
import { OVERVIEW_STYLE, overviewPage } from './overview-page.js';

/** The page has one inline style sheet and no script. */
const PAGE_POLICY = pagePolicy(OVERVIEW_STYLE);

/** A public page. Source: plaid-compat 11. */
@Controller()
export class PlaidOverviewController {
  private readonly file: KeptFile;

  constructor(@Inject(SETTINGS) { baseUrl, connectBaseUrl }: ApiSettings) {
    const page = overviewPage({ baseUrl, connectBaseUrl, paths: PLAID_PATHS });
    this.file = keptFile(Buffer.from(page), 'text/html; charset=utf-8');
  }

  @Route('GET /compatibility/plaid', {
    reads: { by: 'file' },
    docs: overviewDocs.page,
    auth: 'none',
    family: 'operator',
  })
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    await sendKept(request, response, this.file);
  }
}
