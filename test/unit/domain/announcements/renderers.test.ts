import type {
  ApiFormat,
  RenderingFacts,
  SessionEnd,
} from '../../../../domain/announcements/api-format.js';
import type {
  Happening,
  HappeningKind,
  StateChange,
} from '../../../../domain/announcements/happening.js';
import {
  renderLiability,
  type PresentedLiability,
} from '../../../../domain/liabilities/present-liability.js';
import { PLAID_FORMAT } from '../../../../domain/plaid/plaid-format.js';
import { NATIVE_FORMAT } from '../../../../domain/webhooks/native-format.js';
import { debt } from '../../../support/fixtures/sent-debt.js';

const FACTS: RenderingFacts = {
  institution: { isOAuth: false, country: 'US' },
  sha256: () => new Uint8Array(32),
};
const OAUTH: RenderingFacts = { ...FACTS, institution: { isOAuth: true, country: 'US' } };
const STATE: StateChange = {
  kind: 'state_changed',
  state: 'connected',
  error: null,
  errorMessage: null,
  errorCause: null,
  previousError: null,
  isExchanged: true,
  isExpected: false,
};
const BROKEN: StateChange = {
  ...STATE,
  state: 'error',
  error: 'auth_expired',
  errorMessage: 'The login expired.',
  errorCause: 'consent_expired',
};
const TRANSACTION = {
  transactionId: 'txn_1',
  accountId: 'acc_1',
  accountType: 'depository.checking',
  seq: 1n,
  firstSeq: 1n,
  postedSeq: 1n,
  createdPending: false,
  removed: false,
  firstSeqAfterOrigin: 1n,
  day: '2026-03-01',
};

const HAPPENINGS: { readonly [Kind in HappeningKind]: Extract<Happening, { kind: Kind }> } = {
  state_changed: BROKEN,
  product_settled: {
    kind: 'product_settled',
    product: 'accounts',
    state: 'completed',
    at: new Date('2026-03-02T00:00:00Z'),
    errorMessage: null,
  },
  transactions_updated: { kind: 'transactions_updated', hasHistory: true },
  transactions_pulled: {
    kind: 'transactions_pulled',
    before: 'nothing',
    after: 'whole',
    rows: [TRANSACTION],
    base: 0n,
    today: '2026-03-02',
    readsChanges: false,
  },
  investments_updated: { kind: 'investments_updated', holdings: true, transactions: false },
  investments_pulled: {
    kind: 'investments_pulled',
    isFirst: true,
    holdings: { added: 1, updated: 0 },
    transactions: { written: 0, removed: 0 },
  },
  numbers_changed: {
    kind: 'numbers_changed',
    changes: [
      {
        accountId: 'acc_1',
        accountType: 'depository.checking',
        before: null,
        after: { ach: [], eft: [], bacs: [], international: [] },
      },
    ],
  },
  owners_changed: {
    kind: 'owners_changed',
    changes: [
      {
        accountId: 'acc_1',
        before: [],
        after: [{ names: ['A. Holder'], addresses: [], phone_numbers: [], emails: [] }],
      },
    ],
  },
  liabilities_changed: {
    kind: 'liabilities_changed',
    changes: [
      {
        accountId: 'acc_1',
        before: null,
        after: JSON.parse(renderLiability('acc_1', debt('loan'))) as PresentedLiability,
      },
    ],
  },
  streams_changed: {
    kind: 'streams_changed',
    accounts: [{ accountId: 'acc_1', accountType: 'depository.checking' }],
  },
  accounts_added: { kind: 'accounts_added' },
  account_delisted: { kind: 'account_delisted', accountId: 'acc_1' },
  permission_ending: { kind: 'permission_ending', endsAt: new Date('2026-03-09T00:00:00Z') },
  permission_withdrawn: { kind: 'permission_withdrawn' },
};

function namesOf(format: ApiFormat, happening: Happening, facts = OAUTH): string[] {
  const render = format.renderers[happening.kind] as
    | ((happening: Happening, facts: RenderingFacts) => readonly object[])
    | undefined;
  return render?.(happening, facts).map((content) => format.nameOf(content)) ?? [];
}

describe('The webhooks about events of a link', () => {
  it.each<[HappeningKind, string[], string[]]>([
    ['state_changed', ['link.state_changed'], ['ITEM.ERROR']],
    ['product_settled', ['link.product_refresh'], []],
    ['transactions_updated', ['transactions.updates_available'], []],
    ['investments_updated', ['investments.updates_available'], []],
    ['transactions_pulled', [], ['TRANSACTIONS.INITIAL_UPDATE', 'TRANSACTIONS.HISTORICAL_UPDATE']],
    [
      'investments_pulled',
      [],
      ['HOLDINGS.DEFAULT_UPDATE', 'INVESTMENTS_TRANSACTIONS.HISTORICAL_UPDATE'],
    ],
    ['numbers_changed', [], ['AUTH.DEFAULT_UPDATE']],
    ['owners_changed', [], ['IDENTITY.DEFAULT_UPDATE']],
    ['liabilities_changed', [], ['LIABILITIES.DEFAULT_UPDATE']],
    ['streams_changed', [], ['TRANSACTIONS.RECURRING_TRANSACTIONS_UPDATE']],
    ['accounts_added', [], ['ITEM.NEW_ACCOUNTS_AVAILABLE']],
    ['account_delisted', [], ['ITEM.USER_ACCOUNT_REVOKED']],
    ['permission_ending', ['link.permission_expiring'], ['ITEM.PENDING_DISCONNECT']],
    ['permission_withdrawn', [], ['ITEM.USER_PERMISSION_REVOKED']],
  ])('announce %s natively as %j and in the Plaid format as %j', (kind, native, plaid) => {
    expect(namesOf(NATIVE_FORMAT, HAPPENINGS[kind])).toEqual(native);
    expect(namesOf(PLAID_FORMAT, HAPPENINGS[kind])).toEqual(plaid);
  });

  it('announce every change of state natively, also before the exchange', () => {
    expect(
      NATIVE_FORMAT.renderers.state_changed?.({ ...BROKEN, isExchanged: false }, FACTS),
    ).toEqual([
      {
        webhook_event: 'link.state_changed',
        state: 'error',
        error: 'auth_expired',
        error_message: 'The login expired.',
      },
    ]);
  });
});

describe('The Plaid format (plaid-compat 8.1)', () => {
  it('announces no change of state before the exchange, when the client knows no Item', () => {
    expect(namesOf(PLAID_FORMAT, { ...BROKEN, isExchanged: false })).toEqual([]);
  });

  it('announces a repaired login unless a session of the client repaired it', () => {
    const repaired: StateChange = { ...STATE, previousError: 'auth_expired' };
    expect(namesOf(PLAID_FORMAT, repaired)).toEqual(['ITEM.LOGIN_REPAIRED']);
    expect(namesOf(PLAID_FORMAT, { ...repaired, isExpected: true })).toEqual([]);
  });

  it('announces no recovery from any error other than an expired login', () => {
    expect(namesOf(PLAID_FORMAT, { ...STATE, previousError: 'institution_error' })).toEqual([]);
  });

  it('contains the reason of an error only for an institution with an OAuth login', () => {
    const errorWith = (facts: RenderingFacts) =>
      PLAID_FORMAT.renderers.state_changed?.(BROKEN, facts)[0];
    expect(errorWith(OAUTH)).toMatchObject({
      error: { error_code: 'ITEM_LOGIN_REQUIRED', error_code_reason: 'OAUTH_CONSENT_EXPIRED' },
    });
    expect(JSON.stringify(errorWith(FACTS))).not.toContain('error_code_reason');
  });

  it('announces a delisted account only if the account owner grants accounts by OAuth', () => {
    expect(namesOf(PLAID_FORMAT, HAPPENINGS.account_delisted, FACTS)).toEqual([]);
  });

  it('counts neither transactions nor numbers of accounts whose type it does not serve', () => {
    const accountType = 'investment.brokerage';
    const pull = {
      ...HAPPENINGS.transactions_pulled,
      before: 'whole' as const,
      rows: [{ ...TRANSACTION, accountType }],
    };
    expect(namesOf(PLAID_FORMAT, pull)).toEqual([]);
    const changes = HAPPENINGS.numbers_changed.changes.map((change) => ({
      ...change,
      accountType,
    }));
    expect(namesOf(PLAID_FORMAT, { kind: 'numbers_changed', changes })).toEqual([]);
  });

  it('counts transactions of the last 30 days as recent', () => {
    const pullOf = (day: string) =>
      PLAID_FORMAT.renderers.transactions_pulled?.(
        { ...HAPPENINGS.transactions_pulled, rows: [{ ...TRANSACTION, day }] },
        FACTS,
      );
    expect(pullOf('2026-01-31')?.[0]).toMatchObject({ new_transactions: 1 });
    expect(pullOf('2026-01-30')?.[0]).toMatchObject({ new_transactions: 0 });
  });
});

describe('The end of a hosted session', () => {
  const end = (over: Partial<SessionEnd>): SessionEnd => ({
    sessionId: 'lse_1',
    environment: 'live',
    outcome: 'exited',
    wasOpened: true,
    linkId: null,
    linkTags: ['tier:gold'],
    linkToken: 'link-production-1',
    publicToken: null,
    idempotencyKey: 'key-1',
    timestamp: new Date('2026-03-02T10:15:30.120Z'),
    ...over,
  });
  const read = (body: string | null | undefined) => JSON.parse(body ?? 'null') as unknown;
  const render = (publicToken: string | null) => {
    const rendered = PLAID_FORMAT.sessionEnd.render(end({ publicToken }));
    return { shown: read(rendered?.shown), sent: read(rendered?.sent) };
  };
  const ENDED = {
    webhook_type: 'LINK',
    webhook_code: 'SESSION_FINISHED',
    link_session_id: 'lse_1',
    environment: 'production',
  };

  it('is sent with its tokens and logged without them', () => {
    expect(render('public-production-1')).toEqual({
      shown: { ...ENDED, status: 'SUCCESS', link_token: null, public_tokens: null },
      sent: {
        ...ENDED,
        status: 'SUCCESS',
        link_token: 'link-production-1',
        public_tokens: ['public-production-1'],
      },
    });
  });

  it('has an empty list of public tokens when the user left without a result', () => {
    expect(render(null)).toEqual({
      shown: { ...ENDED, status: 'EXITED', link_token: null, public_tokens: [] },
      sent: { ...ENDED, status: 'EXITED', link_token: 'link-production-1', public_tokens: [] },
    });
  });

  it.each([
    ['was never opened', { wasOpened: false }],
    ['has lost its tokens', { linkToken: null }],
  ])('is not announced by the compatibility layer when the session %s', (_, over) => {
    expect(PLAID_FORMAT.sessionEnd.render(end(over))).toBeNull();
  });

  it.each<[string, Partial<SessionEnd>]>([
    ['with its link', { outcome: 'linked', linkId: 'mk_1', publicToken: 'sandbox_xt_1' }],
    ['without a link', { outcome: 'expired', wasOpened: false, linkToken: null }],
  ])('is announced by the native API %s, in the same body to all, without tokens', (_, over) => {
    const rendered = NATIVE_FORMAT.sessionEnd.render(end(over));
    expect(rendered?.sent).toBeNull();
    expect(read(rendered?.shown)).toEqual({
      webhook_event: 'link_session.finished',
      webhook_major_version: 1,
      webhook_minor_version: 0,
      webhook_idempotency_key: 'key-1',
      webhook_timestamp: '2026-03-02T10:15:30.120+00:00',
      link_id: over.linkId ?? null,
      link_tags: ['tier:gold'],
      session_id: 'lse_1',
      outcome: over.outcome,
    });
  });
});
