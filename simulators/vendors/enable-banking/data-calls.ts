import { randomUUID } from 'node:crypto';
import type { SimulatorRequest } from '../../http/request.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Account, Bank, Row } from '../ledger/ledger.types.js';
import { accountResource, balancesOf } from './account-resource.js';
import type { ApiCalls, Application } from './applications.js';
import { factsOf, type AspspFacts } from './aspsps.js';
import { refusal } from './errors.js';
import { isAttended, UnattendedQuota } from './end-user.js';
import type { Session, Sessions } from './sessions.js';
import { statusOf, transactionResource } from './transaction-resource.js';
import { readWindow } from './transaction-window.js';

const ROWS_PER_PAGE = 40;
const STATUSES = ['BOOK', 'CNCL', 'HOLD', 'OTHR', 'PDNG', 'RJCT', 'SCHD'];

type Resource = 'details' | 'balances' | 'transactions';

/** Pages that follow the first one of a listing. */
interface Continuation {
  uid: string;
  pages: Row[][];
}

/** The calls of the group "Accounts data". */
export function dataCalls(ledger: Ledger, sessions: Sessions): ApiCalls {
  const quota = new UnattendedQuota(ledger);
  const continuations = new Map<string, Continuation>();
  ledger.onReset(() => continuations.clear());

  /** A call that continues a listing belongs to the access of the first one. */
  const open = (request: SimulatorRequest, application: Application, resource: Resource) => {
    const uid = request.param('uid');
    const { session, account, bank } = sessions.findAccount(uid, application.id);
    sessions.requireAuthorized(session);
    const attended = isAttended(request, factsOf(bank));
    if (bank.isDown || account.isDown) throw refusal('ASPSP_ERROR');
    if (ledger.quotaExhaustedUntil('enable-banking', session.customerId) !== null) {
      throw refusal('ASPSP_RATE_LIMIT_EXCEEDED');
    }
    const continues = request.query.has('continuation_key');
    if (!attended && !continues) quota.use(account.id, resource);
    return { uid, session, account, bank };
  };

  const firstPages = (
    request: SimulatorRequest,
    opened: { session: Session; account: Account; bank: Bank },
  ): Row[][] => {
    const { session, account, bank } = opened;
    const facts = factsOf(bank);
    const times = { now: ledger.now(), loginAt: session.createdAt };
    const { from, to } = readWindow(request.query, facts, times);
    const status = request.query.get('transaction_status');
    if (status !== null && !STATUSES.includes(status)) {
      throw refusal('WRONG_REQUEST_PARAMETERS', 'transaction_status is unknown');
    }
    ledger.startListing(account);
    const rows = account.rows.filter(
      (row) =>
        row.day >= from &&
        row.day <= to &&
        (status === null || statusOf(row, account, facts) === status),
    );
    return pagesOf(rows.reverse(), facts);
  };

  const nextPages = (key: string, uid: string): Row[][] => {
    const continuation = continuations.get(key);
    if (continuation?.uid !== uid) throw refusal('WRONG_CONTINUATION_KEY');
    return continuation.pages;
  };

  return {
    'GET /accounts/{uid}/details'(request, application) {
      const { uid, session, account, bank } = open(request, application, 'details');
      const customer = ledger.customer(session.customerId);
      return { status: 200, json: accountResource(uid, account, bank, customer) };
    },

    'GET /accounts/{uid}/balances'(request, application) {
      const { account } = open(request, application, 'balances');
      return { status: 200, json: balancesOf(account, ledger.now()) };
    },

    'GET /accounts/{uid}/transactions'(request, application) {
      const opened = open(request, application, 'transactions');
      const { uid, account, bank } = opened;
      const key = request.query.get('continuation_key');
      const pages = key === null ? firstPages(request, opened) : nextPages(key, uid);
      const [page = [], ...others] = pages;
      const next = others.length === 0 ? null : randomUUID();
      if (next !== null) continuations.set(next, { uid, pages: others });
      const listing = randomUUID();
      return {
        status: 200,
        json: {
          transactions: page.map((row) =>
            transactionResource(row, account, factsOf(bank), listing),
          ),
          continuation_key: next,
        },
      };
    },
  };
}

function pagesOf(rows: readonly Row[], { hasEmptyPages }: AspspFacts): Row[][] {
  const pages: Row[][] = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_PAGE) {
    if (hasEmptyPages) pages.push([]);
    pages.push(rows.slice(at, at + ROWS_PER_PAGE));
  }
  return pages;
}
