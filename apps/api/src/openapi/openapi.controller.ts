import { createHash } from 'node:crypto';
import { Controller, Header, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { Route } from '../http/route.js';
import { RouteTable } from '../http/route-table.js';
import { buildDocument, type OpenApiDocument } from './build-document.js';
import { referencePage, STYLE } from './reference-page.js';

/** The page has one style sheet, its own, and no script at all. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** What this service offers, for machines and for people. */
@Controller()
export class OpenApiController {
  private made: { document: OpenApiDocument; page: string } | undefined;

  constructor(private readonly routes: RouteTable, @Inject(SETTINGS) private readonly settings: ApiSettings) {}

  @Route({ method: 'GET', path: '/openapi.json', auth: 'none', family: 'operator' })
  document() {
    return this.make().document;
  }

  @Route({ method: 'GET', path: '/docs', auth: 'none', family: 'operator' })
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(@Res({ passthrough: true }) response: Response): string {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    return this.make().page;
  }

  /** The routes are known once the module is. */
  private make() {
    if (this.made === undefined) {
      const document = buildDocument(this.routes.all(), this.settings);
      this.made = { document, page: referencePage(document) };
    }
    return this.made;
  }
}
