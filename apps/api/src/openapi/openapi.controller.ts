import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { buildInfo } from '../../../platform/src/build/build-info.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { pagePolicy } from '../http/html-page.js';
import { keptFile, sendKept, type KeptFile } from '../http/kept-file.js';
import { Route } from '../http/route.js';
import { RouteTable } from '../http/route-table.js';
import { openApiDocs } from './openapi.docs.js';
import { buildDocument } from './build-document.js';
import { referencePage } from './reference/page.js';
import { START_PAGE_POLICY, startPage } from './start-page.js';
import { STYLE } from './reference/style.js';

/** The page has one style sheet, its own, and no script at all. */
const PAGE_POLICY = pagePolicy(STYLE);

/** The description of this service, for machines and for people. */
@Controller()
export class OpenApiController {
  private made: Promise<{ document: KeptFile; page: KeptFile; start: KeptFile }> | undefined;

  constructor(
    private readonly routes: RouteTable,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /', {
    reads: { by: 'file' },
    docs: openApiDocs.start,
    auth: 'none',
    family: 'operator',
  })
  async start(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', START_PAGE_POLICY);
    await sendKept(request, response, (await this.files()).start);
  }

  @Route('GET /openapi.json', {
    reads: { by: 'file' },
    docs: openApiDocs.document,
    auth: 'none',
    family: 'operator',
  })
  async document(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache');
    await sendKept(request, response, (await this.files()).document);
  }

  @Route('GET /docs', {
    reads: { by: 'file' },
    docs: openApiDocs.page,
    auth: 'none',
    family: 'operator',
  })
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    await sendKept(request, response, (await this.files()).page);
  }

  /** Built once, for the first caller: the routes are known once the module is. */
  private files() {
    this.made ??= this.make();
    return this.made;
  }

  private async make() {
    const document = await buildDocument(this.routes.all(), this.settings);
    const [json, html] = [JSON.stringify(document), referencePage(document)];
    const title = String(document.info['title']);
    const { version } = buildInfo();
    return {
      start: keptFile(Buffer.from(startPage({ title, version })), 'text/html; charset=utf-8'),
      document: keptFile(Buffer.from(json), 'application/json; charset=utf-8'),
      page: keptFile(Buffer.from(html), 'text/html; charset=utf-8'),
    };
  }
}
