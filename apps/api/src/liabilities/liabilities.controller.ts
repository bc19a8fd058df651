import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { presentLink } from '../../../../domain/link/present-link.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { LiabilityRepository } from '../../../../prisma/links/liabilities/liability.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { sendJsonText } from '../http/send-json.js';
import { LinkAccess } from '../links/link-access.js';
import { decodeListPlace, encodeListPlace } from '../links/list-place.js';
import { cursor, list, wholeNumber } from '../schemas/query.schema.js';
import { liabilitiesDocs } from './liabilities.docs.js';

export const ListLiabilities = {
  query: z.object({
    account_ids: list.describe('Only debts of these accounts; missing = all.'),
    cursor,
    limit: wholeNumber({ min: 1, max: 200, fallback: 100 }).describe('Debts of a page.'),
  }),
};

/** Source: native-api 3.15. */
@Controller()
export class LiabilitiesController {
  constructor(
    private readonly access: LinkAccess,
    private readonly liabilities: LiabilityRepository,
    private readonly cursorKeys: CursorKeys,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /links/:id/liabilities', {
    reads: { by: 'page', parameter: 'limit', rows: 200 },
    docs: liabilitiesDocs.list,
    scope: 'liabilities:read',
    input: ListLiabilities,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListLiabilities>,
    @Res() response: Response,
  ): Promise<void> {
    const after = decodeListPlace(this.cursorKeys, 'liabilities', linkId, query.cursor);
    const link = await this.access.findReadable(caller, linkId, 'liabilities');
    const { bodies, next } = await this.liabilities.list(caller, linkId, {
      accountIds: query.account_ids,
      after,
      limit: query.limit,
    });
    const nextCursor =
      next === null ? '' : encodeListPlace(this.cursorKeys, 'liabilities', linkId, next);
    sendJsonText(response, [
      '{"liabilities":[',
      bodies.join(','),
      `],"next_cursor":"${nextCursor}","link":`,
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }
}
