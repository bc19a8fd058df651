import { call, CallFailure } from '../http-calls.js';
import { ConnectVisit } from '../connect-visit.js';
import { COUNTRIES } from './configurations.js';
import { createSetupToken, signInAtBank } from './trial-logins.js';

/** The institution that a trial user links, and its provider. */
export interface TrialLink {
  provider: string;
  institution: string;
}

export interface LinkRequest extends TrialLink {
  api: string;
  /** An access token of the app. */
  bearer: string;
  userId: string;
}

/** The address at which the app would receive its user after the bank; it is never requested. */
const RETURN_ADDRESS = 'http://127.0.0.1/bank-return';

/**
 * Links an institution as a user does in Connect and at the pages of the vendor.
 * @returns the id of the link
 */
export async function linkAtVendor(request: LinkRequest): Promise<string> {
  const { api, bearer, institution } = request;
  const session = await call<{ link_session_token: string }>('POST', `${api}/link-session`, {
    bearer,
    json: {
      customer_user: { id: request.userId },
      redirect_uri: RETURN_ADDRESS,
      settings: { products: ['transactions'], countries: COUNTRIES },
      products_settings: { transactions: { required: true, prefetch: true } },
      tags: ['demo'],
    },
  });
  const visit = await ConnectVisit.open(`${api}/connect/api`, session.link_session_token);
  const found = (await visit.search(institution)).find(({ name }) => name === institution);
  if (found === undefined) throw new CallFailure(`the search did not find ${institution}`);
  await visit.answer({ kind: 'select_institution', institution_id: found.institution_id });
  await answerAll(visit);
  const { exchangeable_token: token } = await visit.finish();
  const { link_id: linkId } = await call<{ link_id: string }>(
    'POST',
    `${api}/link-session/exchange-token`,
    { bearer, json: { exchangeable_token: token } },
  );
  return linkId;
}

/** Grants the requested products, and shares one account. */
async function answerAll(visit: ConnectVisit): Promise<void> {
  for (let seq = -1; visit.seq !== seq;) {
    seq = visit.seq;
    const { kind, fields = [], help_url: help, products = [], accounts = [] } = visit.step;
    if (kind === 'form') {
      const token = await createSetupToken(help ?? '');
      await visit.answer({ kind, values: { [fields[0]?.name ?? '']: token } });
    } else if (kind === 'redirect') {
      await visit.goToBank((address) => signInAtBank(address, RETURN_ADDRESS));
    } else if (kind === 'consent') {
      await visit.answer({ kind, granted: products.map(({ product }) => product) });
    } else if (kind === 'select_accounts') {
      await visit.answer({ kind, refs: accounts.slice(0, 1).map(({ ref }) => ref) });
    }
  }
}
