import type { Response } from 'express';
import { EXPORT_MEDIA_TYPES, type ExportFormat } from '../../../../domain/exports/export-format.js';
import { stateOf } from './request-state.js';
import { streamText } from './stream-json.js';
import type { StreamTurns } from './stream-turns.js';

/** Returns an export as a file to save. `name` may hold any text. */
export function streamExport(
  response: Response,
  fragments: AsyncGenerator<string>,
  { format, name, turns }: { format: ExportFormat; name: string; turns: StreamTurns },
): Promise<void> {
  const safeName = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80);
  const headers = {
    'Content-Type': EXPORT_MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="${safeName}.${format}"`,
  };
  const send = () => streamText(response, fragments, { turns, kind: 'export', headers });
  const share = stateOf(response.req).caller?.share;
  // Before a turn of the app, so that waiting exports of one pair hold none.
  return share === undefined ? send() : turns.during('export of a pair', share.clientId, send);
}
