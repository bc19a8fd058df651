import { Controller, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { presentLink } from '../../../../domain/link/present-link.js';
import { apiTimestamp } from '../../../../domain/api/timestamps.js';
import { LinkRepository } from '../../../../prisma/links/link.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { cursor, wholeNumber } from '../schemas/query.schema.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { linkDocs } from './link.docs.js';
import { ChangeLink } from './change-link.js';
import { CheckUpdateLink } from './check-update-link.js';
import { LinkAccess } from './link-access.js';
import { nextLinkCursor, readLinkCursor } from './link-list-cursor.js';
import { UpdateLinkRequest } from './update-link.requests.js';

export const ListLinks = {
  query: z.object({ cursor, limit: wholeNumber({ min: 1, max: 5000, fallback: 1000 }) }),
};

/** Source: native-api 3.4. */
@Controller()
export class LinkController {
  constructor(
    private readonly links: LinkRepository,
    private readonly access: LinkAccess,
    private readonly changes: ChangeLink,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /links', { docs: linkDocs.list, scope: 'links:read', input: ListLinks })
  async list(@CurrentCaller() caller: Caller, @Input() { query }: InputOf<typeof ListLinks>) {
    const page = await this.links.list(caller, {
      after: readLinkCursor(query.cursor),
      limit: query.limit,
    });
    return {
      links: page.links.map(({ linkId, createdAt }) => ({
        link_id: linkId,
        created_at: apiTimestamp(createdAt),
      })),
      next_cursor: nextLinkCursor(page),
    };
  }

  @Route('GET /links/:id', { docs: linkDocs.show, scope: 'links:read' })
  async show(@CurrentCaller() caller: Caller, @Param('id') linkId: string) {
    return presentLink(await this.access.find(caller, linkId), this.settings.baseUrl);
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
    return presentLink(await this.changes.update(caller, linkId, body), this.settings.baseUrl);
  }

  @Route('DELETE /links/:id', { docs: linkDocs.disconnect, scope: 'links:write', status: 204 })
  disconnect(@CurrentCaller() caller: Caller, @Param('id') linkId: string): Promise<void> {
    return this.changes.disconnect(caller, linkId);
  }

  @Route('POST /links/:id/reset', { docs: linkDocs.reset, scope: 'links:write' })
  async reset(@CurrentCaller() caller: Caller, @Param('id') linkId: string) {
    return presentLink(await this.changes.reset(caller, linkId), this.settings.baseUrl);
  }
}
