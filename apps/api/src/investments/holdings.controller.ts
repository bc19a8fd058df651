import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { utcDay } from '../../../../domain/api/timestamps.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { presentLink } from '../../../../domain/link/present-link.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { HoldingRepository } from '../../../../prisma/links/investments/holding.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { sendJsonText } from '../http/send-json.js';
import { LinkAccess } from '../links/link-access.js';
import { cursor, day, list, wholeNumber } from '../schemas/query.schema.js';
import { decodeHoldingPlace, encodeHoldingPlace } from './holding-place.js';
import { holdingsDocs } from './holdings.docs.js';

export const ListHoldings = {
  query: z.object({
    account_ids: list.describe('Only holdings of these accounts; missing = all.'),
    on: day
      .optional()
      .describe(
        'As of the end of this day, by the clock of the link. Not after today; missing = now.',
      ),
    cursor,
    limit: wholeNumber({ min: 1, max: 1000, fallback: 500 }).describe(
      'Holdings and lots of a page; a holding and its lots stay together.',
    ),
  }),
};

/** Source: native-api 3.13. */
@Controller()
export class HoldingsController {
  constructor(
    private readonly access: LinkAccess,
    private readonly holdings: HoldingRepository,
    private readonly cursorKeys: CursorKeys,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /links/:id/holdings', {
    reads: { by: 'page', parameter: 'limit', rows: 1000, inTurn: true },
    docs: holdingsDocs.list,
    scope: 'investments:read',
    input: ListHoldings,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListHoldings>,
    @Res() response: Response,
  ): Promise<void> {
    const { on, limit, account_ids: accountIds } = query;
    const from = decodeHoldingPlace(this.cursorKeys, { linkId, on }, query.cursor);
    const link = await this.access.findReadable(caller, linkId, 'investments');
    if (on !== undefined && on > utcDay(link.now))
      throw validationFailed([invalid(['query', 'on'], 'Must not be after today.')]);
    const wanted = { accountIds, from, limit };
    const page =
      on === undefined
        ? await this.holdings.page(link.pk, wanted)
        : await this.holdings.pageOn(on, link.pk, wanted);
    const next =
      page.next === null ? '' : encodeHoldingPlace(this.cursorKeys, { linkId, on }, page.next);
    const refreshedAt = link.products.find(({ product }) => product === 'investments')?.refreshedAt;
    const asOf = on ?? (refreshedAt ? utcDay(refreshedAt) : null);
    sendJsonText(response, [
      `{"as_of":${JSON.stringify(refreshedAt ? asOf : null)},"holdings":[`,
      page.holdings.join(','),
      '],"securities":[',
      page.securities.join(','),
      '],"accounts":[',
      page.accounts.join(','),
      `],"next_cursor":"${next}","link":`,
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }
}
