import type { BankLoginRepository } from '../../prisma/work/linking/bank-login.repository.js';
import type { LoginGrantRepository } from '../../prisma/work/linking/login-grant.repository.js';
import type { RevocationRepository } from '../../prisma/sources/permissions/revocation.repository.js';
import type {
  LinkedOutcome,
  LoginContext,
  LoginOutcome,
  Provider,
} from '../../providers/contract/provider.js';
import { quotaGate, type QuotaDeps } from '../quota-gate.js';
import { reportFaults, type ObserveFaults, type SourceFaults } from '../source-faults.js';
import { unmanagedAccess } from '../unmanaged-access.js';
import { listAccounts } from '../refresh/list-accounts.js';
import { readPermissionEnd } from '../refresh/read-permission-end.js';
import type { BankLoginResult } from './bank-login-result.js';

export interface OutcomeStoreDeps extends QuotaDeps {
  bankLogins: Pick<BankLoginRepository, 'storePreparedStep' | 'storeLinked'>;
  grants: Pick<LoginGrantRepository, 'keep' | 'renew'>;
  revocations: Pick<RevocationRepository, 'release'>;
  /** Records whether permissions of the login's route can be renewed. */
  noteRenewal: (login: NotedRenewal) => Promise<void>;
  now: () => Date;
  observeFaults?: ObserveFaults;
}

export interface NotedRenewal {
  provider: string;
  /** The provider's id of the institution. */
  remoteId: string;
  isRenewable: boolean;
}

/** A login in progress, with the context that is passed to the provider. */
export interface Attempt {
  sessionId: string;
  linkId: string;
  context: LoginContext;
  /** The faults that `context.note` collects. */
  faults: SourceFaults;
  attemptsLeft: number | null;
  /** Shown with the first step unless the bank has an error of its own. */
  notice?: { code: string; text: string } | null;
}

const REVOKE_WITHIN_MS = 5_000;
/** connect 5, rule 11: requesting another code too early is not a wrong answer. */
const RESEND_TOO_EARLY = 'resend_too_early';

/** The permission that a login received. */
type Granted = Omit<LinkedOutcome, 'kind'>;

/**
 * Stores the outcome of a provider call, with secrets sealed, and returns the part a workflow may
 * see.
 */
export function createOutcomeStore({
  bankLogins,
  grants,
  revocations,
  noteRenewal,
  quotas,
  now,
  observeFaults,
}: OutcomeStoreDeps) {
  return { storeOutcome, listAndStore };

  async function storeOutcome(
    provider: Provider,
    attempt: Attempt,
    outcome: LoginOutcome,
  ): Promise<BankLoginResult> {
    if (outcome.kind === 'step') return storeStep(attempt, outcome);
    const { kind: _linked, ...granted } = outcome;
    await keepGrant(provider, attempt, granted);
    return listAndStore(provider, attempt, granted);
  }

  async function storeStep(
    { sessionId, context: { attemptKey }, attemptsLeft, notice = null }: Attempt,
    outcome: Extract<LoginOutcome, { kind: 'step' }>,
  ): Promise<BankLoginResult> {
    const { step, message, error, expiresAt, state, pollAfterMs = null } = outcome;
    const left = outcome.attemptsLeft ?? (error === null ? null : attemptsLeft);
    await bankLogins.storePreparedStep(
      sessionId,
      attemptKey,
      {
        content: step,
        message,
        error: error ?? notice,
        attemptsLeft: left,
        expiresAt: expiresAt?.toISOString() ?? null,
        pollAfterMs,
      },
      state,
    );
    const expiresInMs =
      expiresAt === null ? null : Math.max(0, expiresAt.getTime() - now().getTime());
    return {
      kind: 'step',
      step: step.kind,
      refused: error !== null && error.code !== RESEND_TOO_EARLY,
      attemptsLeft: left,
      expiresInMs,
    };
  }

  /**
   * The permission that a token or code opened is stored before it is used, because that may work
   * only once. From here on the session releases it, regardless of how the attempt ends.
   */
  async function keepGrant(provider: Provider, attempt: Attempt, granted: Granted): Promise<void> {
    const {
      sessionId,
      context: { attemptKey, relink },
    } = attempt;
    try {
      await grants.keep({ sessionId, attemptKey, provider: provider.name }, granted);
    } catch (error) {
      // A relink may renew a permission under its old reference. That permission belongs to the
      // link, and a failed relink changes nothing (link-lifecycle 8).
      if (relink?.reference !== granted.reference) await revokeLater(provider, attempt, granted);
      throw error;
    }
  }

  /** Lists the accounts of a permission that the session holds, and stores both. Safe to repeat. */
  async function listAndStore(
    provider: Provider,
    attempt: Attempt,
    granted: Granted,
  ): Promise<BankLoginResult> {
    try {
      return await listAccountsOf(provider, attempt, granted);
    } catch (error) {
      attempt.faults.fail(error);
      throw error;
    } finally {
      const { linkId, faults } = attempt;
      reportFaults(observeFaults, provider, { linkId, operation: 'login' }, faults);
    }
  }

  async function listAccountsOf(
    provider: Provider,
    attempt: Attempt,
    granted: Granted,
  ): Promise<BankLoginResult> {
    const {
      sessionId,
      linkId,
      context: { remoteId, attemptKey, relink, endUser, worldTime = null, note, signal },
      faults,
    } = attempt;
    const { reference, isRenewable } = granted;
    const login = { sessionId, attemptKey, provider: provider.name };
    // Existing accounts are recognized among all that the permission covers (link-lifecycle 8).
    const access = unmanagedAccess(
      {
        remoteId,
        reference,
        credential: granted.credential,
        endUser,
        acquire: quotaGate({ quotas }, provider, { reference, endUser, isScheduled: false }),
        products: relink?.products ?? [],
        ...(relink?.accountFacts === undefined ? {} : { accountFacts: relink.accountFacts }),
        fetchKey: `${attemptKey}/accounts`,
        worldTime,
        note,
        signal,
      },
      (renewed) => grants.renew(login, { reference, linkId }, renewed),
    );
    if (isRenewable !== undefined)
      await noteRenewal({ provider: provider.name, remoteId, isRenewable });
    const { accounts, unreported } = await listAccounts(provider, access, faults);
    const permissionEndsAt = (await readPermissionEnd(provider, access)) ?? null;
    const questions = await bankLogins.storeLinked(sessionId, attemptKey, {
      ...granted,
      // Reading the accounts may have renewed it.
      credential: access.credential,
      accounts,
      institution: granted.institution?.remoteId === remoteId ? null : granted.institution,
      incomplete: faults.incomplete(unreported),
      permissionEndsAt,
    });
    return { kind: 'linked', accounts: accounts.length, questions };
  }

  /**
   * Queues a permission that could not be stored for revocation, like that of a deleted link
   * (link-lifecycle 9). If even that fails, revokes it once, now: a permission without a record
   * could never be revoked.
   */
  async function revokeLater(
    provider: Provider,
    { linkId, context: { remoteId } }: Attempt,
    { reference, credential }: Pick<Granted, 'reference' | 'credential'>,
  ): Promise<void> {
    const isQueued = await revocations
      .release(linkId, { provider: provider.name, reference, credential })
      .catch(() => false);
    if (!isQueued)
      await provider
        .revoke?.(
          unmanagedAccess({
            remoteId,
            reference,
            credential,
            signal: AbortSignal.timeout(REVOKE_WITHIN_MS),
          }),
        )
        .catch(() => undefined);
  }
}

export type StoreOutcome = ReturnType<typeof createOutcomeStore>['storeOutcome'];
