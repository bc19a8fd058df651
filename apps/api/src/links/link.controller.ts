import { Controller, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, validationFailed } from '../../../../domain/api-errors.js';
import { presentLink } from '../../../../domain/present-link.js';
import { apiTimestamp } from '../../../../domain/timestamps.js';
import { TransitionRefused } from '../../../../prisma/repositories/link-transition.js';
import { LinkRepository } from '../../../../prisma/repositories/link.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { single, wholeNumber } from '../http/query-schemas.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { LinkAccess } from './link-access.js';
import { decodeLinkCursor, encodeLinkCursor } from './link-list-cursor.js';

export const ListLinks = { query: z.object({ cursor: single.optional(), limit: wholeNumber({ least: 1, most: 5000, otherwise: 1000 }) }) };

/** Source: native-api 3.4. */
@Controller()
export class LinkController {
  constructor(private readonly links: LinkRepository, private readonly access: LinkAccess, @Inject(SETTINGS) private readonly settings: ApiSettings) {}

  @Route({ method: 'GET', path: '/links', auth: 'bearer', scope: 'links:read', input: ListLinks })
  async list(@CurrentCaller() caller: Caller, @Input() { query }: InputOf<typeof ListLinks>) {
    const { links, hasMore } = await this.links.list(caller, { after: readCursor(query.cursor), limit: query.limit });
    const last = links.at(-1);
    return {
      links: links.map(({ linkId, createdAt }) => ({ link_id: linkId, created_at: apiTimestamp(createdAt) })),
      next_cursor: hasMore && last !== undefined ? encodeLinkCursor(last.pk) : '',
    };
  }

  @Route({ method: 'GET', path: '/links/:id', auth: 'bearer', scope: 'links:read' })
  async show(@CurrentCaller() caller: Caller, @Param('id') linkId: string) {
    return presentLink(await this.access.find(caller, linkId), this.settings.baseUrl);
  }

  @Route({ method: 'DELETE', path: '/links/:id', auth: 'bearer', scope: 'links:write', status: 204 })
  async disconnect(@CurrentCaller() caller: Caller, @Param('id') linkId: string): Promise<void> {
    const link = await this.access.findLiving(caller, linkId);
    try {
      await this.links.delete(caller, link.linkId);
    } catch (error) {
      // Deleted by another request in the meantime.
      if (error instanceof TransitionRefused) throw new ApiError('link_error.deleted');
      throw error;
    }
  }
}

function readCursor(cursor: string | undefined): bigint | null {
  if (cursor === undefined || cursor === '') return null;
  const after = decodeLinkCursor(cursor);
  if (after === null) throw validationFailed([{ location: ['query', 'cursor'], message: 'The cursor is not readable.', type: 'invalid' }]);
  return after;
}
