import type { Response } from 'express';
import { EXPORT_MEDIA_TYPES, type ExportFormat } from '../../../../domain/exports/export-format.js';
import { streamText } from './stream-json.js';
import type { StreamTurns } from './stream-turns.js';

/** Returns an export as a file to save. `name` may hold any text. */
export function streamExport(
  response: Response,
  fragments: AsyncGenerator<string>,
  { format, name, turns }: { format: ExportFormat; name: string; turns: StreamTurns },
): Promise<void> {
  const safeName = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80);
  return streamText(response, fragments, {
    turns,
    kind: 'export',
    headers: {
      'Content-Type': EXPORT_MEDIA_TYPES[format],
      'Content-Disposition': `attachment; filename="${safeName}.${format}"`,
    },
  });
}
