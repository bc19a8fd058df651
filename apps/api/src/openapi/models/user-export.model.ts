import { z } from 'zod';
import { EXPORT_MEDIA_TYPES } from '../../../../../domain/exports/export-format.js';
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
    counterparty_numbers: transactionNumbers.nullable().describe('Null when unknown.'),
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

export const EXPORT_ALTERNATIVES = [EXPORT_MEDIA_TYPES.jsonl, EXPORT_MEDIA_TYPES.csv].map(
  (type) => type.split(';')[0] ?? type,
);
export const EXPORT_DESCRIPTION =
  'Streamed, and may be large: write it to a file as it arrives. A connection that is closed before the end of the response ' +
  'means that the export is incomplete.\n\n`format=jsonl` returns the same facts as one JSON object per line, each with a `type`: ' +
  '`export` first, then `customer_user`, `link`, `account`, `balance`, `transaction`, `event`, `session` and `simplefin_token`, and `end` last.\n\n' +
  '`format=csv` returns the current transactions as one table (RFC 4180, with a header). An apostrophe precedes text that a spreadsheet ' +
  "could calculate; remove it where `(?<=^|[;\\t\\r\\n])'` matches a cell of text. An empty cell is null, a single apostrophe an empty text.";
