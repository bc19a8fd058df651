import { z } from 'zod';
import { EXPORT_MEDIA_TYPES } from '../../../../../domain/exports/export-format.js';
import { CSV_COLUMNS } from '../../../../../prisma/views/exports/export-csv.js';
import { exportedAccount } from './account.model.js';
import { connectTheme } from './connect.model.js';
import { link } from './link.model.js';
import { linkSessionMode, linkSessionState } from './link-session.model.js';
import { simplefinToken } from './simplefin.model.js';
import { transaction, transactionNumbers } from './transaction.model.js';
import { eventId, linkId, sessionId, timestamp, transactionId } from './values.model.js';

const event = z
  .object({
    event_id: eventId,
    webhook_event: z.string(),
    created_at: timestamp,
    body: z.looseObject({}).describe('The body that was sent.'),
  })
  .meta({ id: 'ExportedEvent' });

const version = z
  .object({
    seq: z.int().describe('Position in the log of the link.'),
    replaced: z.boolean().describe('A later version of the same transaction is stored.'),
    removed: z.boolean(),
    transaction_id: transactionId,
    transaction: transaction.nullable().describe('Null when the transaction was removed.'),
    counterparty_numbers: transactionNumbers
      .nullable()
      .optional()
      .describe('Null when unknown. Absent without the scope `numbers:read`.'),
  })
  .meta({ id: 'ExportedTransaction' });

const linkMembers = {
  link,
  created_at: timestamp,
  connected_at: timestamp.nullable(),
  imported_at: timestamp.nullable(),
  deleted_at: timestamp.nullable(),
  accounts: z.array(exportedAccount).describe('Including closed and withdrawn accounts.'),
  transactions: z.array(version).describe('Every version, oldest first.'),
  webhook_events: z.array(event).describe('Oldest first.'),
};
const exportedLink = z.object(linkMembers).meta({ id: 'ExportedLink' });

const session = z
  .object({
    session_id: sessionId,
    mode: linkSessionMode,
    state: linkSessionState,
    end_reason: z.string().nullable(),
    created_at: timestamp,
    opened_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    link_id: linkId.nullable(),
    institution_id: z.string().nullable(),
    products: z.record(z.string(), z.unknown()),
    tags: z.array(z.string()),
    webhook: z.string().nullable(),
    redirect_uri: z.string().nullable(),
    theme: connectTheme.nullable(),
    custom_sandbox_data: z
      .record(z.string(), z.unknown())
      .meta({ id: 'ExportedSandboxData' })
      .nullable(),
    webhook_events: z.array(event),
  })
  .meta({ id: 'ExportedSession' });

const contact = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ExportedContact' })
  .nullable()
  .describe('As received in `customer_user`.');

/** Source: native-api 3.7. */
export const userExport = z
  .object({
    exported_at: timestamp,
    customer_user: z
      .object({
        id: z.string(),
        email: contact,
        phone: contact,
        created_at: timestamp,
        last_used_at: timestamp.describe(
          'The time of the last session or import, or a later time at which a link or session existed.',
        ),
      })
      .meta({ id: 'ExportedCustomerUser' })
      .nullable()
      .describe('Null when nothing is stored about this user; then the lists are empty.'),
    links: z.array(exportedLink),
    sessions: z.array(session),
    simplefin_tokens: z.array(simplefinToken),
  })
  .meta({ id: 'UserExport' });

/** Source: native-api 3.7. */
export const linkExport = z
  .object({ exported_at: timestamp, ...linkMembers })
  .meta({ id: 'LinkExport' });

const CSV_ROW: Readonly<Record<string, string>> = {
  link_id: 'mk_xLoLLgApqAh9mTukjceTaH',
  institution_id: 'sandbox-instant-bank',
  account_id: 'acc_c2F9WChnQ672HbWAS95rZP',
  account_name: 'Everyday Checking',
  transaction_id: 'txn_JyJvhbvkDqH8EJ9nPcP6w3',
  date: '2026-03-02T00:00:00',
  amount: '30.09',
  type: 'debit',
  signed_amount: '-30.09',
  currency: 'USD',
  account_currency: 'USD',
  account_amount: '-30.09',
  description: 'Paws and Claws',
  pending: 'false',
};
const csvExample = [CSV_COLUMNS, CSV_COLUMNS.map((name) => CSV_ROW[name] ?? '')]
  .map((cells) => `${cells.join(',')}\r\n`)
  .join('');
const jsonlExample = [
  { type: 'export', exported_at: '2026-03-02T10:15:00.000' },
  {
    type: 'balance',
    link_id: CSV_ROW['link_id'],
    account_id: CSV_ROW['account_id'],
    date: '2026-03-02',
    currency: 'USD',
    current: 2350,
    available: 2210.52,
    limit: null,
  },
  { type: 'end', lines: 1 },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');
const mediaType = (type: string): string => type.split(';')[0] ?? type;

export const EXPORT_ALTERNATIVES = [
  { type: mediaType(EXPORT_MEDIA_TYPES.jsonl), example: jsonlExample },
  { type: mediaType(EXPORT_MEDIA_TYPES.csv), example: csvExample },
];
export const EXPORT_DESCRIPTION =
  'Streamed, and may be large: write it to a file as it arrives. A connection that is closed before the end of the response ' +
  'means that the export is incomplete.\n\n`format=jsonl` returns the same facts as one JSON object per line, each with a `type`: ' +
  '`export` first, then `customer_user`, `link`, `account`, `balance`, `transaction`, `event`, `session` and `simplefin_token`, and `end` last.\n\n' +
  '`format=csv` returns the current transactions as one table (RFC 4180, with a header). An apostrophe precedes text that a spreadsheet ' +
  "could calculate; remove it where `(?<=^|[;\\t\\r\\n])'` matches a cell of text. An empty cell is null, a single apostrophe an empty text. `bom=true` puts a byte order mark before it, which Excel needs.";
