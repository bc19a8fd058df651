import type { StandaloneDescription } from '../service/description.js';
import { ConnectVisit, type Finished } from './connect-visit.js';
import { call, CallFailure } from './http-calls.js';
import type { Narrator } from './narrator.js';

const BANK = 'sandbox-instant-bank';

/** The five steps from key pair to link, each as an HTTP call. @returns the input of product reads */
export async function linkABank(
  narrator: Narrator,
  service: StandaloneDescription,
  webhookUrl: string,
): Promise<{ accessToken: string; linkId: string }> {
  const [app] = service.apps;
  if (app === undefined) throw new CallFailure('the service has no app');
  const api = service.base_url;

  narrator.step('The app requests an access token', 'POST /auth/token');
  const token = await call<{ access_token: string; expires_in: number }>(
    'POST',
    `${api}/auth/token`,
    { form: { grant_type: 'client_credentials', ...app.sandbox } },
  );
  narrator.result(`valid for ${token.expires_in} s in Sandbox, the environment of its key pair`);

  narrator.step('… and a link session for one of its users', 'POST /link-session');
  const session = await call<{ link_session_token: string; expires_at: string }>(
    'POST',
    `${api}/link-session`,
    {
      bearer: token.access_token,
      json: {
        customer_user: { id: 'demo-user' },
        settings: { products: ['transactions'] },
        products_settings: { transactions: { required: true, prefetch: true } },
        webhook: webhookUrl,
        tags: ['demo'],
      },
    },
  );
  narrator.result(`products accounts and transactions, webhooks to ${webhookUrl}`);

  const result = await goThroughConnect(narrator, `${api}/connect/api`, session.link_session_token);

  narrator.step('The app exchanges it for a link', 'POST /link-session/exchange-token');
  const exchanged = await call<{ link_id: string; link: { state: string } }>(
    'POST',
    `${api}/link-session/exchange-token`,
    {
      bearer: token.access_token,
      json: { exchangeable_token: result.exchangeable_token },
    },
  );
  narrator.result(`${exchanged.link_id} is ${exchanged.link.state}`);
  return { accessToken: token.access_token, linkId: exchanged.link_id };
}

/** The part of the Connect front end. */
async function goThroughConnect(
  narrator: Narrator,
  connect: string,
  linkSessionToken: string,
): Promise<Finished> {
  narrator.step('The user opens Connect', 'POST /connect/api/session/open');
  const visit = await ConnectVisit.open(connect, linkSessionToken);
  narrator.result(`first step: ${visit.step.kind}`);

  narrator.step('… searches for a bank', 'GET /connect/api/institutions?q=inst');
  const institutions = await visit.search('inst');
  narrator.rows(institutions.map(({ name, institution_id: id }) => [name, id]));
  if (!institutions.some(({ institution_id: id }) => id === BANK))
    throw new CallFailure(`the search did not find ${BANK}`);

  narrator.step('… chooses it', 'POST /connect/api/session/step');
  await visit.answer({ kind: 'select_institution', institution_id: BANK }, (stage) =>
    narrator.result(`waiting: ${stage}`),
  );
  if (visit.step.kind === 'success')
    narrator.result(`${visit.institution ?? BANK} needs no input: step ${visit.seq} is success`);

  narrator.step('… and Connect passes the result to the app', 'POST /connect/api/session/finish');
  const result = await visit.finish();
  narrator.rows(
    result.accounts.map(({ name, account_type: type, account_mask: mask }) => [
      name,
      type,
      `•••• ${mask ?? ''}`,
    ]),
  );
  return result;
}
