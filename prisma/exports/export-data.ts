import type { Tenant } from '../../domain/api/environment.js';
import type { ExportFormat } from '../../domain/exports/export-format.js';
import type { LinkPresentation } from '../../domain/link/present-link.js';
import type { Context } from '../context.js';
import { ExportedRows } from './exported-rows.js';
import { CsvExport } from './export-csv.js';
import { JsonExport } from './export-json.js';
import { JsonLinesExport } from './export-jsonl.js';
import { inSnapshot } from './export-snapshot.js';

const WRITERS = { json: JsonExport, jsonl: JsonLinesExport, csv: CsvExport };
/** Characters of a chunk: a write for each row would cost more than the row. */
const CHUNK = 32_768;

/** The link was erased after the caller found it. */
export class ExportedLinkGone extends Error {
  override readonly name = 'ExportedLinkGone';
}

/** Exports of users and links as text, chunk by chunk, as of one moment. Source: native-api 3.7. */
export class ExportData {
  constructor(
    private readonly ctx: Context,
    private readonly settings: LinkPresentation,
  ) {}

  user(tenant: Tenant, userId: string, format: ExportFormat): AsyncGenerator<string> {
    return inSnapshot(this.ctx, (ctx) =>
      inChunks(new WRITERS[format](ctx, this.settings).user(tenant, userId)),
    );
  }

  /** @throws ExportedLinkGone */
  link(tenant: Tenant, linkId: string, format: ExportFormat): AsyncGenerator<string> {
    const { settings } = this;
    return inSnapshot(this.ctx, async function* (ctx) {
      const link = await new ExportedRows(ctx).link(tenant, linkId);
      if (link === null) throw new ExportedLinkGone();
      yield* inChunks(new WRITERS[format](ctx, settings).link(tenant, link));
    });
  }

  /**
   * The JSON document of a user without a transaction: a slow reader keeps none open, and each part
   * shows the moment at which it is read.
   */
  userDocument(tenant: Tenant, userId: string): AsyncGenerator<string> {
    return new JsonExport(this.ctx, this.settings).user(tenant, userId);
  }
}

async function* inChunks(fragments: AsyncGenerator<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const fragment of fragments) {
    chunk += fragment;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
