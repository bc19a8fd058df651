import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { presentLink } from '../../../../domain/link/present-link.js';
import { renderStream } from '../../../../domain/recurring/present-stream.js';
import { STREAM_STATUSES } from '../../../../domain/recurring/stream.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { mapInTurns } from '../http/in-turns.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { sendJsonText } from '../http/send-json.js';
import { LinkAccess } from '../links/link-access.js';
import { decodeListPlace, encodeListPlace } from '../links/list-place.js';
import { streamStatus } from '../openapi/models/recurring.model.js';
import { cursor, list, oneOf, wholeNumber } from '../schemas/query.schema.js';
import { recurringDocs } from './recurring.docs.js';
import { RecurringStreams } from './recurring-streams.js';

export const ListRecurring = {
  query: z.object({
    account_ids: list.describe('Only streams of these accounts; missing = all.'),
    status: oneOf(STREAM_STATUSES, streamStatus).describe('Only streams of this status.'),
    cursor,
    limit: wholeNumber({ min: 1, max: 200, fallback: 100 }).describe('Streams of a page.'),
  }),
};

/** Source: native-api 3.12. */
@Controller()
export class RecurringController {
  constructor(
    private readonly access: LinkAccess,
    private readonly recurring: RecurringStreams,
    private readonly cursorKeys: CursorKeys,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('GET /links/:id/recurring', {
    reads: { by: 'page', parameter: 'limit', rows: 200, inTurn: true },
    docs: recurringDocs.list,
    scope: 'transactions:read',
    input: ListRecurring,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { query }: InputOf<typeof ListRecurring>,
    @Res() response: Response,
  ): Promise<void> {
    const after = decodeListPlace(this.cursorKeys, 'recurring', linkId, query.cursor);
    const link = await this.access.findReadable(caller, linkId, 'transactions');
    const { streams } = await this.recurring.of(link);
    const listed = streams.filter(
      ({ place, accountId, status }) =>
        place > after &&
        (query.account_ids?.includes(accountId) ?? true) &&
        (query.status ?? status) === status,
    );
    const page = listed.slice(0, query.limit);
    const last = listed.length > page.length ? page.at(-1) : undefined;
    const next =
      last === undefined
        ? ''
        : encodeListPlace(this.cursorKeys, 'recurring', linkId, BigInt(last.place));
    sendJsonText(response, [
      '{"streams":[',
      (await mapInTurns(page, renderStream)).join(','),
      `],"next_cursor":"${next}","link":`,
      JSON.stringify(presentLink(link, this.settings)),
      '}',
    ]);
  }
}
