import { z } from 'zod';
import { EXPORT_MEDIA_TYPES } from '../../../../../domain/exports/export-format.js';
import { CSV_TABLES } from '../../../../../prisma/views/exports/export-csv.js';
import { exportedAccount } from './account.model.js';
import { connectTheme } from './connect.model.js';
import { holding, holdingsAccount } from './holding.model.js';
import { investmentTransaction, investmentTransactionId } from './investment-transaction.model.js';
import { liability } from './liability.model.js';
import { link } from './link.model.js';
import { linkSessionMode, linkSessionState } from './link-session.model.js';
import { recurringStream } from './recurring.model.js';
import { security } from './security.model.js';
import { simplefinToken } from './simplefin.model.js';
import { transaction, transactionNumbers } from './transaction.model.js';
import { day, eventId, linkId, sessionId, timestamp, transactionId } from './values.model.js';
import { webhookEventBody } from './webhook-event-body.model.js';

const event = z
  .object({
    event_id: eventId.describe('The id of the event.'),
    webhook_event: z.string().describe('The name of the event.'),
    created_at: timestamp.describe('The creation of the event.'),
    body: webhookEventBody,
  })
  .meta({ id: 'ExportedEvent', description: 'A webhook that was sent, or that had no receiver.' });

const version = z
  .object({
    seq: z.int().meta({ format: 'int64', description: 'Position in the log of the link.' }),
    replaced: z.boolean().describe('A later version of the same transaction is stored.'),
    removed: z.boolean().describe('The institution withdrew it.'),
    transaction_id: transactionId.describe('The transaction that this is a version of.'),
    transaction: transaction.nullable().describe('Null when the transaction was removed.'),
    counterparty_numbers: transactionNumbers
      .nullable()
      .optional()
      .describe('Null when unknown. Absent without the scope `numbers:read`.'),
  })
  .meta({ id: 'ExportedTransaction', description: 'A version of a transaction.' });

const holdingDay = z
  .object({
    day: day.describe('By the clock of the link. It holds until the next entry of its account.'),
    ...holdingsAccount.shape,
    holdings: z
      .array(
        holding.omit({ first_seen: true, ended: true }).meta({
          id: 'ExportedHolding',
          description: 'A holding on a day in the past.',
        }),
      )
      .describe('The state at the end of the day; `holdings` of the link has the days of each.'),
  })
  .meta({
    id: 'ExportedHoldingDay',
    description: 'All holdings of an account on a day on which something changed.',
  });

const investmentTransactionVersion = z
  .object({
    seq: z.int().meta({ format: 'int64', description: 'Position in the log of the link.' }),
    replaced: z.boolean().describe('A later version of it is stored.'),
    removed: z.boolean().describe('The institution withdrew it.'),
    investment_transaction_id: investmentTransactionId.describe('What this is a version of.'),
    investment_transaction: investmentTransaction.nullable().describe('Null when it was removed.'),
  })
  .meta({
    id: 'ExportedInvestmentTransaction',
    description: 'A version of an investment transaction.',
  });

const withInvestments = 'Absent without the scope `investments:read`.';

const linkMembers = {
  link: link.describe('The link as the API shows it.'),
  created_at: timestamp.describe('The start of the login or the import that made it.'),
  connected_at: timestamp.nullable().describe('When it was first connected; null = never.'),
  imported_at: timestamp.nullable().describe('When it was imported; null = it was not.'),
  deleted_at: timestamp.nullable().describe('When it was deleted; null = it is not.'),
  accounts: z.array(exportedAccount).describe('Including closed and withdrawn accounts.'),
  transactions: z.array(version).describe('Every version, oldest first.'),
  recurring_streams: z.array(recurringStream).describe('As they were last found.'),
  holdings: z
    .array(holding)
    .optional()
    .describe(`Those that are held, and those that ended. ${withInvestments}`),
  holding_days: z
    .array(holdingDay)
    .optional()
    .describe(`Every kept day of each account, oldest first. ${withInvestments}`),
  securities: z
    .array(security)
    .optional()
    .describe(`Those of the holdings and investment transactions. ${withInvestments}`),
  investment_transactions: z
    .array(investmentTransactionVersion)
    .optional()
    .describe(`Every version, oldest first. ${withInvestments}`),
  liabilities: z
    .array(liability)
    .optional()
    .describe('The debts. Absent without the scope `liabilities:read`.'),
  webhook_events: z.array(event).describe('Oldest first.'),
};
const exportedLink = z
  .object(linkMembers)
  .meta({ id: 'ExportedLink', description: 'A link, with everything that is stored of it.' });

const session = z
  .object({
    session_id: sessionId.describe('The id of the session.'),
    mode: linkSessionMode.describe('For a new link, or for an existing one.'),
    state: linkSessionState.describe('The state of the session.'),
    end_reason: z.string().nullable().describe('Why it ended; null = it did not.'),
    created_at: timestamp.describe('The creation of the session.'),
    opened_at: timestamp.nullable().describe('The first opening; null = never opened.'),
    ended_at: timestamp.nullable().describe('When it was over; null until then.'),
    link_id: linkId.nullable().describe('The link that it created, repaired or was to repair.'),
    institution_id: z.string().nullable().describe('The institution that was chosen.'),
    products: z
      .record(z.string(), z.unknown())
      .describe('The products that it asked for, with their settings.'),
    tags: z.array(z.string()).describe('The tags for the link.'),
    webhook: z.string().nullable().describe('The address for the webhooks of the link.'),
    redirect_uri: z.string().nullable().describe('The page to which the user returns.'),
    theme: connectTheme.nullable().describe('The look of Connect.'),
    custom_sandbox_data: z
      .record(z.string(), z.unknown())
      .meta({
        id: 'ExportedSandboxData',
        description: 'Data for a sandbox bank, as it was received.',
      })
      .nullable()
      .describe('The data of a sandbox bank that it brought.'),
    webhook_events: z.array(event).describe('Events of the session itself, oldest first.'),
  })
  .meta({ id: 'ExportedSession', description: 'A link session, without its tokens.' });

const contact = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ExportedContact' })
  .nullable()
  .describe('As received in `customer_user`.');

/** Source: native-api 3.7. */
export const userExport = z
  .object({
    exported_at: timestamp.describe('The start of the export.'),
    customer_user: z
      .object({
        id: z.string().describe('The id that your app gave the user.'),
        email: contact,
        phone: contact,
        created_at: timestamp.describe('The first session, import or SimpleFIN token.'),
        last_used_at: timestamp.describe(
          'The time of the last session or import, or a later time at which a link or session existed.',
        ),
      })
      .meta({
        id: 'ExportedCustomerUser',
        description: 'What is stored of the user outside of links.',
      })
      .nullable()
      .describe('Null when nothing is stored about this user; then the lists are empty.'),
    links: z
      .array(exportedLink)
      .describe('All links of the user, deleted ones as long as they can be read.'),
    sessions: z.array(session).describe('All link sessions of the user that are kept.'),
    simplefin_tokens: z.array(simplefinToken).describe('The access of finance apps.'),
  })
  .meta({ id: 'UserExport', description: 'Everything that is stored of a user.' });

/** Source: native-api 3.7. */
export const linkExport = z
  .object({ exported_at: timestamp.describe('The start of the export.'), ...linkMembers })
  .meta({ id: 'LinkExport', description: 'Everything that is stored of a link.' });

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
const { columns } = CSV_TABLES.transactions;
const csvExample = [columns, columns.map((name) => CSV_ROW[name] ?? '')]
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
  '`export` first, then `customer_user`, `link`, `account`, `balance`, `transaction`, `recurring_stream`, `holding`, `holding_day`, `security`, `investment_transaction`, `liability`, `event`, `session` and `simplefin_token`, and `end` last.\n\n' +
  '`format=csv` returns one table (RFC 4180, with a header): the current transactions, or what `data` names. An apostrophe precedes text that a spreadsheet ' +
  "could calculate; remove it where `(?<=^|[;\\t\\r\\n])'` matches a cell of text. An empty cell is null, a single apostrophe an empty text. `bom=true` puts a byte order mark before it, which Excel needs.";
