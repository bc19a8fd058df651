import { randomUUID } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.js';
import type { Account, Bank } from '../ledger/ledger.types.js';
import { refusal } from './errors.js';

const CODE_LIFETIME_MS = 10 * 60_000;

/** The access that an application requests from a customer. */
export interface Authorization {
  id: string;
  applicationId: string;
  bankId: string;
  validUntil: string;
  state: string;
  redirectUrl: string;
  psuType: string;
  psuIdHash: string;
  status: 'PENDING_AUTHORIZATION' | 'RETURNED_FROM_BANK' | 'CANCELLED' | 'AUTHORIZED';
}

/** The access that a customer granted. */
export interface Session {
  id: string;
  authorization: Authorization;
  customerId: string;
  consentNumber: number;
  createdAt: Date;
  closedAt: Date | null;
  /** By the ids that are valid in this session only. */
  accounts: ReadonlyMap<string, Account['id']>;
}

export type SessionStatus = 'AUTHORIZED' | 'EXPIRED' | 'CLOSED' | 'REVOKED';

interface Code {
  authorization: Authorization;
  customerId: string;
  issuedAt: number;
}

/** Authorizations in progress, the codes they ended with, and the sessions created from these. */
export class Sessions {
  readonly #authorizations = new Map<string, Authorization>();
  readonly #codes = new Map<string, Code>();
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly ledger: Ledger) {
    ledger.onReset(() => {
      this.#authorizations.clear();
      this.#codes.clear();
      this.#sessions.clear();
    });
  }

  start(asked: Omit<Authorization, 'id' | 'status'>): Authorization {
    const authorization: Authorization = {
      ...asked,
      id: randomUUID(),
      status: 'PENDING_AUTHORIZATION',
    };
    this.#authorizations.set(authorization.id, authorization);
    return authorization;
  }

  /** An authorization that a customer can still decide on. */
  pending(id: string): Authorization | null {
    const found = this.#authorizations.get(id);
    return found?.status === 'PENDING_AUTHORIZATION' ? found : null;
  }

  /** The newest authorization with this state that can still be decided on. */
  pendingByState(state: string): Authorization | null {
    const all = [...this.#authorizations.values()];
    return all.findLast((one) => one.state === state && this.pending(one.id) !== null) ?? null;
  }

  /** @returns the next address of the customer's browser, at the application */
  decide(authorization: Authorization, customerId: string | null): string {
    const back = new URL(authorization.redirectUrl);
    back.searchParams.set('state', authorization.state);
    if (customerId === null) {
      authorization.status = 'CANCELLED';
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'Denied data sharing consent');
      return back.href;
    }
    authorization.status = 'RETURNED_FROM_BANK';
    const code = randomUUID();
    this.#codes.set(code, { authorization, customerId, issuedAt: this.ledger.now().getTime() });
    back.searchParams.set('code', code);
    return back.href;
  }

  /** Exchanges a code, once and in time. */
  authorize(code: string, applicationId: string): Session {
    const issued = this.#codes.get(code);
    if (issued === undefined || issued.authorization.applicationId !== applicationId) {
      throw refusal('WRONG_AUTHORIZATION_CODE');
    }
    const { authorization, customerId, issuedAt } = issued;
    if (authorization.status === 'AUTHORIZED') throw refusal('ALREADY_AUTHORIZED');
    if (this.ledger.now().getTime() - issuedAt > CODE_LIFETIME_MS) {
      throw refusal('EXPIRED_AUTHORIZATION_CODE');
    }
    authorization.status = 'AUTHORIZED';
    const session: Session = {
      id: randomUUID(),
      authorization,
      customerId,
      consentNumber: this.ledger.consentNumber('enable-banking', customerId),
      createdAt: this.ledger.now(),
      closedAt: null,
      accounts: new Map(
        accountsAt(this.ledger, customerId, authorization.bankId).map(({ id }) => [
          randomUUID(),
          id,
        ]),
      ),
    };
    this.#sessions.set(session.id, session);
    return session;
  }

  /** @throws Refusal 404 for an unknown session or one of another application */
  find(id: string, applicationId: string): Session {
    const session = this.#sessions.get(id);
    if (session?.authorization.applicationId !== applicationId) {
      throw refusal('SESSION_DOES_NOT_EXIST');
    }
    return session;
  }

  statusOf(session: Session): SessionStatus {
    if (session.closedAt !== null) return 'CLOSED';
    const current = this.ledger.consentNumber('enable-banking', session.customerId);
    if (session.consentNumber !== current) return 'REVOKED';
    const isOver = this.ledger.now() >= new Date(session.authorization.validUntil);
    return isOver ? 'EXPIRED' : 'AUTHORIZED';
  }

  /** @throws Refusal 401 for a session that has ended */
  requireAuthorized(session: Session): void {
    const status = this.statusOf(session);
    if (status !== 'AUTHORIZED') throw refusal(`${status}_SESSION`);
  }

  close(session: Session): void {
    session.closedAt = this.ledger.now();
  }

  /** The account behind an id of some session. @throws Refusal 404 */
  findAccount(
    uid: string,
    applicationId: string,
  ): { session: Session; account: Account; bank: Bank } {
    for (const session of this.#sessions.values()) {
      const accountId = session.accounts.get(uid);
      if (accountId === undefined || session.authorization.applicationId !== applicationId)
        continue;
      return {
        session,
        account: this.ledger.account(accountId),
        bank: this.ledger.bank(session.authorization.bankId),
      };
    }
    throw refusal('ACCOUNT_DOES_NOT_EXIST');
  }
}

/** Accounts in a currency that is not money are not payment accounts. */
function accountsAt(ledger: Ledger, customerId: string, bankId: string): Account[] {
  return ledger
    .connectionsAt('enable-banking', customerId)
    .filter(({ bank }) => bank.id === bankId)
    .flatMap(({ accounts }) => accounts)
    .filter(({ currency }) => /^[A-Z]{3}$/.test(currency));
}
