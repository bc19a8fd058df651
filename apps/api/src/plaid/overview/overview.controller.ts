import { createHash } from 'node:crypto';
import { Controller, Header, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { Route } from '../../http/route.js';
import { PLAID_PATHS } from '../plaid-paths.js';
import { OVERVIEW_STYLE, overviewPage } from './overview-page.js';

/** The page has one inline style sheet and no script. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(OVERVIEW_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A public page. Source: plaid-compat 11. */
@Controller()
export class PlaidOverviewController {
  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  @Route('GET /compatibility/plaid', { auth: 'none', family: 'operator' })
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(@Res({ passthrough: true }) response: Response): string {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    return overviewPage({
      baseUrl: this.settings.baseUrl,
      connectBaseUrl: this.settings.connectBaseUrl,
      paths: PLAID_PATHS,
    });
  }
}
