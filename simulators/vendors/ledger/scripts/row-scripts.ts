import { z } from 'zod';
import { dayOf, daysBefore } from '../day.js';
import { derivedId } from '../draws.js';
import { LedgerError, type Ledger } from '../ledger.js';
import type { Account, Row } from '../ledger.types.js';
import { settleAccount } from '../settle-account.js';
import { amountParam, dayParam, script, type Script } from './script.js';

const newRow = {
  account: z.string(),
  amount: amountParam.default('-17.20'),
  description: z.string().default('SCRIPTED PURCHASE'),
  merchant: z.string().nullable().default(null),
  status: z.enum(['pending', 'posted']).default('posted'),
  isAnonymous: z.boolean().default(false),
};

/** A row that appears today. `day` is optional; the instant is its noon, or now if that is earlier. */
const addRow = script(
  z.strictObject({ ...newRow, day: dayParam.optional() }),
  (ledger, { day = dayOf(ledger.now()), ...row }) => insertRow(ledger, { ...row, day }),
);

/** A posted row that appears today with a day in the past. */
const lateRow = script(
  z.strictObject({ ...newRow, daysAgo: z.int().min(1).max(729).default(5) }),
  (ledger, { daysAgo, ...row }) =>
    insertRow(ledger, { ...row, day: dayOf(daysBefore(ledger.now(), daysAgo)) }),
);

/** Removes a row: the one named, or the newest posted one. */
const withdrawRow = script(
  z.strictObject({ account: z.string(), row: z.string().optional() }),
  (ledger, { account: accountId, row: rowId }) => {
    const account = ledger.account(accountId);
    const row = account.rows.findLast(({ id, status }) =>
      rowId === undefined ? status === 'posted' : id === rowId,
    );
    if (row === undefined) throw new LedgerError(`${accountId} has no such row.`);
    account.rows.splice(account.rows.indexOf(row), 1);
    settleAccount(account);
    return { withdrawn: row };
  },
);

/** Pending rows become posted ones under other ids: the one named, or all of the account. */
const postPending = script(
  z.strictObject({
    account: z.string(),
    row: z.string().optional(),
    /** The final amount, as after a tip; by default the amount of the pending row. */
    amount: amountParam.optional(),
  }),
  (ledger, { account: accountId, row: rowId, amount }) => {
    const account = ledger.account(accountId);
    const rows = account.rows.filter(
      ({ id, status }) => status === 'pending' && (rowId === undefined || id === rowId),
    );
    if (rows.length === 0) throw new LedgerError(`${accountId} has no such pending row.`);
    const posted = rows.map((row) => {
      const before = row.id;
      row.id = derivedId('posted', before, ledger.nextIdPart());
      row.status = 'posted';
      row.isAnonymous = false;
      row.amount = amount ?? row.amount;
      return { before, after: row.id };
    });
    settleAccount(account);
    return { posted };
  },
);

/** The posted rows of a block of days, both ends included, get other ids; nothing else changes. */
const renewIds = script(
  z.strictObject({ account: z.string(), from: dayParam, to: dayParam }),
  (ledger, { account, from, to }) => ({
    renewed: renew(
      ledger,
      [ledger.account(account)],
      ({ day, status }) => status === 'posted' && day >= from && day <= to,
    ),
  }),
);

/** All rows get other ids: of one account, or of every account. */
const renewAllIds = script(
  z.strictObject({ account: z.string().optional() }),
  (ledger, { account }) => {
    const accounts =
      account === undefined
        ? ledger.data.customers.flatMap(({ connections }) => connections.flatMap((c) => c.accounts))
        : [ledger.account(account)];
    return { renewed: renew(ledger, accounts, () => true).length };
  },
);

/** From now on, every listing returns other ids. */
const renewIdsAlways = script(
  z.strictObject({ isOn: z.boolean().default(true) }),
  (ledger, { isOn }) => {
    ledger.renewsIdsAlways = isOn;
    return { isOn };
  },
);

function renew(ledger: Ledger, accounts: readonly Account[], isMeant: (row: Row) => boolean) {
  return accounts.flatMap(({ rows }) =>
    rows.filter(isMeant).map((row) => {
      const before = row.id;
      ledger.renewId(row);
      return { before, after: row.id };
    }),
  );
}

function insertRow(
  ledger: Ledger,
  {
    account: accountId,
    ...given
  }: Omit<Row, 'id' | 'instant' | 'runningBalance' | 'details'> & { account: string },
): { added: Row } {
  const account = ledger.account(accountId);
  const noon = `${given.day}T12:00:00.000Z`;
  const now = ledger.now().toISOString();
  const row: Row = {
    ...given,
    id: derivedId('added', accountId, ledger.nextIdPart()),
    instant: given.day === now.slice(0, 10) && now < noon ? now : noon,
    runningBalance: null,
    details: {},
  };
  account.rows.push(row);
  settleAccount(account);
  return { added: row };
}

export const ROW_SCRIPTS = {
  add_row: addRow,
  late_row: lateRow,
  withdraw_row: withdrawRow,
  post_pending: postPending,
  renew_ids: renewIds,
  renew_all_ids: renewAllIds,
  renew_ids_always: renewIdsAlways,
} satisfies Record<string, Script>;
