import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { presentLink } from '../../../../domain/link/present-link.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { detailsFor } from '../../../../domain/exports/exported-details.js';
import { ExportData, ExportedLinkGone } from '../../../../prisma/views/exports/export-data.js';
import { LinkRepository } from '../../../../prisma/links/link/link.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { WHOLE_LINKS, type VersionChange } from '../http/api-versions.js';
import { CurrentCaller, Input, LaterChanges, Route, type InputOf } from '../http/route.js';
import { exportFormFor } from '../http/export-form.js';
import { streamExport } from '../http/stream-export.js';
import { StreamTurns } from '../http/stream-turns.js';
import { ExportQuery } from '../schemas/export.schema.js';
import { linkDocs } from './link.docs.js';
import { ChangeLink } from './change-link.js';
import { CheckUpdateLink } from './check-update-link.js';
import { LinkAccess } from './link-access.js';
import { decodeLinkPosition, encodeLinkPosition } from './link-page-cursor.js';
import { filterOf, ListLinks, PAGE_SIZES, pageSize } from './list-links.request.js';
import { UpdateLinkRequest } from './update-link.requests.js';

/** Source: native-api 3.4. */
@Controller()
export class LinkController {
  constructor(
    private readonly links: LinkRepository,
    private readonly access: LinkAccess,
    private readonly changes: ChangeLink,
    private readonly exports: ExportData,
    private readonly turns: StreamTurns,
    private readonly cursorKeys: CursorKeys,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /links', {
    reads: { by: 'page', parameter: 'limit', rows: 5000, inTurn: true },
    docs: linkDocs.list,
    scope: 'links:read',
    input: ListLinks,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Input() { query }: InputOf<typeof ListLinks>,
    @LaterChanges() unknown: readonly VersionChange[],
  ) {
    const wantsIds = unknown.includes(WHOLE_LINKS);
    const limit = pageSize(query.limit, wantsIds ? PAGE_SIZES.ids : PAGE_SIZES.links);
    const filter = filterOf(query, this.settings);
    const { order } = query;
    const list = { tenant: caller, filter, order };
    const after = decodeLinkPosition(this.cursorKeys, list, query.cursor);
    const { links, next } = await this.links.list(caller, filter, { order, after, limit });
    const shown = links.map((link) => presentLink(link, this.settings));
    return {
      links: wantsIds ? shown.map(({ link_id, created_at }) => ({ link_id, created_at })) : shown,
      next_cursor: encodeLinkPosition(this.cursorKeys, list, next),
    };
  }

  @Route('GET /links/:id', { reads: { by: 'object' }, docs: linkDocs.show, scope: 'links:read' })
  async show(@CurrentCaller() caller: Caller, @Param('id') linkId: string) {
    return presentLink(await this.access.find(caller, linkId), this.settings);
  }

  @Route('GET /links/:id/export', {
    reads: { by: 'stream', rows: 500 },
    docs: linkDocs.export,
    scope: 'transactions:read',
    input: ExportQuery,
  })
  async export(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ExportQuery>,
    @Res() response: Response,
  ): Promise<void> {
    const form = exportFormFor(caller, query);
    await this.access.find(caller, linkId);
    const text = this.exports.link(caller, linkId, form, detailsFor(caller.scopes));
    const { turns } = this;
    const { format } = form;
    await streamExport(response, text, { turns, format, name: linkId }).catch((error: unknown) => {
      throw error instanceof ExportedLinkGone ? new ApiError('link_error.not_found') : error;
    });
  }

  @Route('PATCH /links/:id', {
    docs: linkDocs.update,
    scope: 'links:write',
    input: UpdateLinkRequest,
    check: CheckUpdateLink,
  })
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof UpdateLinkRequest>,
  ) {
    return presentLink(await this.changes.update(caller, linkId, body), this.settings);
  }

  @Route('DELETE /links/:id', { docs: linkDocs.disconnect, scope: 'links:write', status: 204 })
  disconnect(@CurrentCaller() caller: Caller, @Param('id') linkId: string): Promise<void> {
    return this.changes.disconnect(caller, linkId);
  }

  @Route('POST /links/:id/reset', { docs: linkDocs.reset, scope: 'links:write' })
  async reset(@CurrentCaller() caller: Caller, @Param('id') linkId: string) {
    return presentLink(await this.changes.reset(caller, linkId), this.settings);
  }
}
