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
}

/** What the server could not read. Its texts are written for people and are dropped. */
export interface Problems {
  failedConnections: ReadonlySet<string>;
  failedAccounts: ReadonlySet<string>;
  /** Something failed, and the server does not say of which bank. */
  isGeneral: boolean;
}

/**
 * @throws ProviderFailure `consent_expired`, `institution_down` when no bank could be read,
 *   `malformed`
 */
export function readAccountSet(body: string): AccountSet {
  const response = new RemoteObject(parse(body), 'response');
  const problems = problemsOf(response);
  const accounts = response.list('accounts', MAX_ACCOUNTS).map((value) => {
    const remote = new RemoteObject(value, 'account');
    return {
      id: remote.text('id', { max: 200 }),
      connectionId: remote.optional('conn_id', (it) => it.text('conn_id', { max: 200 })),
      remote,
    };
  });
  if (new Set(accounts.map(({ id }) => id)).size !== accounts.length)
    throw malformed('an account id occurs twice');

  const connections = response.optional('connections', connectionIds) ?? [];
  const noneWorks =
    connections.length > 0 && connections.every((id) => problems.failedConnections.has(id));
  if (noneWorks || (accounts.length === 0 && hasProblems(problems))) throw allBanksFailed();
  return { accounts, problems };
}

/**
 * Provider ids of accounts of which the response says nothing, or not everything. A failed bank may
 * be missing together with its accounts, whose ids only the link knows then.
 */
export function unreportedAccounts(
  { accounts, problems }: AccountSet,
  knownAccounts: readonly string[],
): string[] {
  const { failedConnections, failedAccounts, isGeneral } = problems;
  const listed = new Set(accounts.map(({ id }) => id));
  const missing = knownAccounts.filter((id) => !listed.has(id));
  const doubtful = accounts.filter(
    ({ connectionId }) =>
      isGeneral || (connectionId !== null && failedConnections.has(connectionId)),
  );
  return [
    ...new Set([
      ...failedAccounts,
      ...doubtful.map(({ id }) => id),
      ...(isGeneral || failedConnections.size > 0 ? missing : []),
    ]),
  ];
}

const hasProblems = ({ failedConnections, failedAccounts, isGeneral }: Problems): boolean =>
  isGeneral || failedConnections.size > 0 || failedAccounts.size > 0;

const connectionIds = (response: RemoteObject): string[] =>
  response
    .list('connections', MAX_CONNECTIONS)
    .map((value) => new RemoteObject(value, 'connection').text('conn_id', { max: 200 }));

function problemsOf(response: RemoteObject): Problems {
  const errors = response.optional('errlist', (it) => it.list('errlist', MAX_ERRORS));
  if (errors !== null) return structured(errors);
  // Version 1 has only texts, which name no account.
  const texts = response.list('errors', MAX_ERRORS);
  return { failedConnections: new Set(), failedAccounts: new Set(), isGeneral: texts.length > 0 };
}

/** An unknown code counts as its prefix, an unknown prefix as a general error. */
function structured(errors: readonly unknown[]): Problems {
  const failedConnections = new Set<string>();
  const failedAccounts = new Set<string>();
  let isGeneral = false;
  for (const value of errors) {
    const error = new RemoteObject(value, 'error');
    const code = error.text('code', { max: 100 });
    if (code === 'gen.auth') throw consentExpired();
    // Advice on our use of the API, as when there were many requests.
    if (code === 'gen.api') continue;
    const connection = error.optional('conn_id', (it) => it.text('conn_id', { max: 200 }));
    const account = error.optional('account_id', (it) => it.text('account_id', { max: 200 }));
    if (account !== null) failedAccounts.add(account);
    else if (connection !== null) failedConnections.add(connection);
    else isGeneral = true;
  }
  return { failedConnections, failedAccounts, isGeneral };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw malformed('it is not JSON');
  }
}
