import type { Tenant } from '../../../domain/api/environment.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import { BYTE_ORDER_MARK, type ExportForm } from '../../../domain/exports/export-format.js';
import type { LinkPresentation } from '../../../domain/link/present-link.js';
import type { Context } from '../../base/context.js';
import { ExportedRows } from './exported-rows.js';
import { CsvExport } from './export-csv.js';
import { JsonExport } from './export-json.js';
import { JsonLinesExport } from './export-jsonl.js';
import { inChunks } from './text-chunks.js';

/** The link was erased after the caller found it. */
export class ExportedLinkGone extends Error {
  override readonly name = 'ExportedLinkGone';
}

/** Exports of users and links as text, chunk by chunk. Source: native-api 3.7. */
export class ExportData {
  constructor(
    private readonly ctx: Context,
    private readonly settings: LinkPresentation,
  ) {}

  user(
    tenant: Tenant,
    userId: string,
    form: ExportForm,
    details: ExportedDetails,
  ): AsyncGenerator<string> {
    return chunksOf(form, this.writer(form, details).user(tenant, userId));
  }

  /** @throws ExportedLinkGone */
  async *link(
    tenant: Tenant,
    linkId: string,
    form: ExportForm,
    details: ExportedDetails,
  ): AsyncGenerator<string> {
    const link = await new ExportedRows(this.ctx, details).link(tenant, linkId);
    if (link === null) throw new ExportedLinkGone();
    yield* chunksOf(form, this.writer(form, details).link(tenant, link));
  }

  private writer({ format, data }: ExportForm, details: ExportedDetails) {
    const { ctx, settings } = this;
    if (format === 'csv') return new CsvExport(ctx, settings, details, data);
    return format === 'json'
      ? new JsonExport(ctx, settings, details)
      : new JsonLinesExport(ctx, settings, details);
  }
}

async function* chunksOf({ bom }: ExportForm, text: AsyncGenerator<string>) {
  if (bom) yield BYTE_ORDER_MARK;
  yield* inChunks(text);
}
