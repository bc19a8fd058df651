import { parseUrl } from '../../../domain/addresses/parse-url.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { offerRedirect, REDIRECT_VALID_FOR_MS } from '../../offer-redirect.js';
import { malformed, RemoteObject } from '../../http/remote-object.js';
import type {
  LinkedOutcome,
  LoginContext,
  LoginOutcome,
  ProviderSecret,
  RedirectAddress,
  RedirectRequest,
} from '../../contract/provider.js';
import { entryFor } from '../catalog/list-institutions.js';
import { readOwnAspsps, type PsuType } from '../catalog/read-aspsps.js';
import { readRemoteId } from '../catalog/remote-id.js';
import type { ApiClient } from '../client/api-client.js';
import { unknownBank } from '../client/failure-table.js';
import {
  decodeRedirect,
  encodeCredential,
  encodeRedirect,
  type Redirect,
} from '../client/sealed.js';
import { codeOf } from './read-return.js';
import { toSessionAccounts } from './session-accounts.js';
import { validUntil } from './valid-until.js';

export interface LoginParts {
  callApi: ApiClient;
  psuTypes: readonly PsuType[];
  now: () => Date;
}

const ID = /^[\w-]+$/;

/** The redirect is offered before any call. */
export function offerBankRedirect(remoteId: string): LoginOutcome {
  if (readRemoteId(remoteId) === null) throw unknownBank();
  return offerRedirect();
}

/** Starts an authorization. A relink also starts a new one: sessions cannot be extended. */
export async function startRedirect(
  { callApi, psuTypes, now }: LoginParts,
  context: Pick<LoginContext, 'remoteId' | 'endUser' | 'note' | 'signal'>,
  { state, redirectUri }: RedirectRequest,
): Promise<RedirectAddress> {
  const { endUser, signal } = context;
  const { aspsp, psuType } = await findEntry(callApi, psuTypes, context);
  const { name, country, bic, psuHeaders } = aspsp;
  const language = /^[a-z]{2}/.exec(endUser?.language ?? '')?.[0];
  const response = await callApi({
    method: 'POST',
    path: ['auth'],
    body: {
      access: {
        balances: true,
        transactions: true,
        valid_until: validUntil(aspsp.maxValiditySeconds, now()).toISOString(),
      },
      aspsp: { name, country },
      state,
      redirect_url: redirectUri,
      psu_type: psuType,
      ...(language === undefined ? {} : { language }),
    },
    isLogin: true,
    signal,
  });
  return {
    kind: 'address',
    returns: 'code_or_error',
    authorizeUrl: addressOf(new RemoteObject(response, 'authorization')),
    // The vendor does not send an `iss`.
    issuer: null,
    expiresAt: new Date(now().getTime() + REDIRECT_VALID_FOR_MS),
    state: encodeRedirect({
      state,
      redirectUri,
      aspsp: { name, country },
      bic,
      psuHeaders: [...psuHeaders],
    }),
  };
}

/**
 * Exchanges the code, which works once, for a session.
 * @throws ProviderFailure `user_denied` for a refusal at the bank, `internal` for a callback that
 * belongs to another redirect
 */
export async function completeRedirect(
  { callApi }: Pick<LoginParts, 'callApi'>,
  { signal, note }: Pick<LoginContext, 'signal' | 'note'>,
  sealed: ProviderSecret,
  callbackUrl: string,
): Promise<LinkedOutcome> {
  const redirect = decodeRedirect(sealed);
  const code = codeOf(callbackUrl, redirect.state);
  const response = await callApi({
    method: 'POST',
    path: ['sessions'],
    body: { code },
    isLogin: true,
    signal,
  });
  const session = new RemoteObject(response, 'session');
  const sessionId = session.text('session_id', { max: 200, pattern: ID });
  try {
    return toPermission(session, sessionId, redirect, note);
  } catch (error) {
    // No other code knows of this session, and the code does not open another one.
    await callApi({ method: 'DELETE', path: ['sessions', sessionId], signal }).catch(
      () => undefined,
    );
    throw error;
  }
}

function toPermission(
  session: RemoteObject,
  sessionId: string,
  { aspsp, bic, psuHeaders }: Redirect,
  note: LoginContext['note'],
): LinkedOutcome {
  const linked = session.object('aspsp');
  // The code of another login, at a different bank.
  if (
    linked.text('name', { max: 300 }) !== aspsp.name ||
    linked.text('country', { max: 2 }) !== aspsp.country
  )
    throw malformed('the session is one of another bank');
  const accounts = toSessionAccounts(session, bic, note);
  if (accounts.length === 0) throw new ProviderFailure('no_accounts', 'The bank lists no account.');
  return {
    kind: 'linked',
    credential: encodeCredential({ sessionId, psuHeaders, accounts }),
    // An id, not a secret: a session cannot be opened without the operator's key.
    reference: sessionId,
    consent: 'ask',
  };
}

/** The login needs the bank's own entry only, so no other one can prevent it. */
async function findEntry(
  callApi: ApiClient,
  psuTypes: readonly PsuType[],
  { remoteId, note, signal }: Pick<LoginContext, 'remoteId' | 'note' | 'signal'>,
) {
  const wanted = readRemoteId(remoteId);
  if (wanted === null) throw unknownBank();
  const aspsps = await readOwnAspsps(callApi, wanted, { isLogin: true, note, signal });
  const found = entryFor(aspsps, psuTypes);
  if (found === null) throw unknownBank();
  return found;
}

/** The address of a page for the user's browser. */
function addressOf(authorization: RemoteObject): string {
  const text = authorization.text('url', { max: 4_096 });
  if (!/^https?:$/.test(parseUrl(text)?.protocol ?? ''))
    throw malformed('authorization.url is not the address of a page');
  return text;
}
