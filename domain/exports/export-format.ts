/** Source: native-api 3.7. */
export const EXPORT_FORMATS = ['json', 'jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The tables that an export as CSV can hold, one in a file. Source: native-api 3.7. */
export const EXPORT_TABLES = [
  'transactions',
  'holdings',
  'investment_transactions',
  'liabilities',
] as const;
export type ExportTable = (typeof EXPORT_TABLES)[number];

export interface ExportForm {
  format: ExportFormat;
  /** A byte order mark before CSV, without which Excel reads UTF-8 as another encoding. */
  bom: boolean;
  /** The table of CSV; other formats hold everything. */
  data: ExportTable;
}

export const BYTE_ORDER_MARK = String.fromCodePoint(0xfe_ff);

export const EXPORT_MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};
