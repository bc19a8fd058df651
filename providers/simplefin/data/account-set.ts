import type { ProviderAccess } from '../../contract/provider.js';
import { readEach, Unreadable, type ReadScope } from '../../http/read-scope.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';
import { allBanksFailed, consentExpired } from '../client/failure-table.js';

/** Accounts behind one access URL. */
const MAX_ACCOUNTS = 1_000;
const MAX_ERRORS = 5_000;
const MAX_CONNECTIONS = 1_000;

/** A response of `GET /accounts`, of version 1 or 2. */
export interface AccountSet {
  accounts: readonly ListedAccount[];
  problems: Problems;
}

export interface ListedAccount {
  id: string;
  /** Version 2 only. */
  connectionId: string | null;
  remote: RemoteObject;
  /** The scope for unreadable parts of the account. */
  scope: ReadScope;
}

/** The data that the server could not read. Its texts are written for people and are dropped. */
export interface Problems {
  failedConnections: ReadonlySet<string>;
  failedAccounts: ReadonlySet<string>;
  /** Something may have failed, or it is advice: the server names neither bank nor account. */
  isGeneral: boolean;
}

/**
 * @throws ProviderFailure `consent_expired`, `institution_down` when no bank could be read,
 *   `malformed`
 */
export function readAccountSet(body: string, { note }: Pick<ProviderAccess, 'note'>): AccountSet {
  const nowhere = { account: null, note };
  const response = new RemoteObject(parse(body), 'response', nowhere);
  const problems = problemsOf(response, nowhere);
  const ids = new Set<string>();
  const accounts = readEach(
    response.list('accounts', MAX_ACCOUNTS),
    { ...nowhere, scope: 'account' },
    (value): ListedAccount => {
      const id = new RemoteObject(value, 'account').text('id', { max: 200 });
      const scope = { account: id, note };
      const remote = new RemoteObject(value, 'account', scope);
      if (ids.has(id)) throw new Unreadable('account', 'id', 'repeated', 'an id of one account');
      ids.add(id);
      return { id, connectionId: textOf(remote, 'conn_id'), remote, scope };
    },
  );
  const noneWorks = allConnectionsFailed(response, problems, nowhere);
  if (noneWorks || (accounts.length === 0 && hasProblems(problems))) throw allBanksFailed();
  return { accounts, problems };
}

/**
 * Provider ids of accounts that the response does not report on, or not completely. A failed bank
 * may be missing together with its accounts, whose ids only the link knows then. A general problem
 * takes nothing from an account that is listed: some servers repeat the same advice in every
 * response, or report the failed bank of another account.
 */
export function unreportedAccounts(
  { accounts, problems }: AccountSet,
  knownAccounts: readonly string[],
): string[] {
  const { failedConnections, failedAccounts, isGeneral } = problems;
  const listed = new Set(accounts.map(({ id }) => id));
  const missing = knownAccounts.filter((id) => !listed.has(id));
  const doubtful = accounts.filter(
    ({ connectionId }) => connectionId !== null && failedConnections.has(connectionId),
  );
  return [
    ...new Set([
      ...failedAccounts,
      ...doubtful.map(({ id }) => id),
      ...(isGeneral || failedConnections.size > 0 ? missing : []),
    ]),
  ];
}

export const hasProblems = ({ failedConnections, failedAccounts, isGeneral }: Problems): boolean =>
  isGeneral || failedConnections.size > 0 || failedAccounts.size > 0;

/** Read entry by entry. One without a readable id may be a connection that works. */
function allConnectionsFailed(
  response: RemoteObject,
  { failedConnections }: Problems,
  nowhere: ReadScope,
): boolean {
  const connections =
    response.maybe('connections', (it) => it.list('connections', MAX_CONNECTIONS)) ?? [];
  const ids = readEach(connections, { ...nowhere, scope: 'value' }, (value) =>
    new RemoteObject(value, 'connection').text('conn_id', { max: 200 }),
  );
  return (
    ids.length > 0 &&
    ids.length === connections.length &&
    ids.every((id) => failedConnections.has(id))
  );
}

function problemsOf(response: RemoteObject, nowhere: ReadScope): Problems {
  const errors = response.maybe('errlist', (it) => it.list('errlist', MAX_ERRORS));
  if (errors !== null) return structured(errors, nowhere);
  // Version 1 has only texts, which do not identify accounts.
  const texts = response.maybe('errors', (it) => it.list('errors', MAX_ERRORS)) ?? [];
  return { failedConnections: new Set(), failedAccounts: new Set(), isGeneral: texts.length > 0 };
}

/**
 * An error concerns the account or the connection that it names, whatever its code; otherwise it is
 * general, as is unreadable data.
 */
function structured(errors: readonly unknown[], nowhere: ReadScope): Problems {
  const failedConnections = new Set<string>();
  const failedAccounts = new Set<string>();
  const read = readEach(
    errors,
    { ...nowhere, scope: 'value' },
    (value) => new RemoteObject(value, 'error', nowhere),
  );
  let isGeneral = read.length < errors.length;
  for (const error of read) {
    const code = error.expected((it) => it.text('code', { max: 100 }));
    if (code === 'gen.auth') throw consentExpired();
    // Advice about the use of the API, for example after many requests.
    if (code === 'gen.api') continue;
    const [connection, account] = [textOf(error, 'conn_id'), textOf(error, 'account_id')];
    if (account !== null) failedAccounts.add(account);
    else if (connection !== null) failedConnections.add(connection);
    else isGeneral = true;
  }
  return { failedConnections, failedAccounts, isGeneral };
}

const textOf = (remote: RemoteObject, field: string): string | null =>
  remote.maybe(field, (it) => it.text(field, { max: 200 }));

function parse(body: string): unknown {
  try {
    return JSON.parse(body, keepDigits) as unknown;
  } catch {
    throw malformed('it is not JSON');
  }
}

/** A number of more digits than a JavaScript number holds stays text. */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && (context?.source?.length ?? 0) > 15 ? context?.source : value;
