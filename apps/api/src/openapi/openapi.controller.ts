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
  private made: Promise<{ document: OpenApiDocument; page: string }> | undefined;

  constructor(
    private readonly routes: RouteTable,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /openapi.json', { auth: 'none', family: 'operator' })
  async document() {
    return (await this.documents()).document;
  }

  @Route('GET /docs', { auth: 'none', family: 'operator' })
  @Header('Content-Type', 'text/html; charset=utf-8')
  async page(@Res({ passthrough: true }) response: Response): Promise<string> {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    return (await this.documents()).page;
  }

  /** Made for the first caller: the routes are known once the module is. */
  private documents() {
    this.made ??= this.make();
    return this.made;
  }

  private async make() {
    const document = await buildDocument(this.routes.all(), this.settings);
    return { document, page: referencePage(document) };
  }
}
