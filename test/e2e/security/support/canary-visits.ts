import {
  chooseCredentialsBank,
  linkCredentialsBank,
  signIn,
} from '../../../support/actors/credentials-journey.js';
import {
  AppBackEnd,
  call,
  ConnectVisit,
  expectStatus,
} from '../../../support/actors/link-journey.js';
import type { SessionResponse } from '../../../support/actors/response-bodies.js';
import {
  answerQuestions,
  arriveAtApp,
  submitReturnCall,
  chooseOAuthBank,
  decideAtBank,
  startRedirect,
} from '../../../support/actors/oauth-journey.js';
import type { Canaries } from '../../../support/fixtures/canaries.js';

export interface KnownSecrets {
  /** All of them. */
  canaries: Canaries;
  /** The canaries that may not even be stored in plain text. */
  sealed: Canaries;
}

export function addSealed({ canaries, sealed }: KnownSecrets, name: string, text: string): void {
  for (const known of [canaries, sealed]) known.add(name, text);
}

/**
 * One user links at OAuth Bank in the window that started, one resumes in another, and one is at
 * the bank; none exchanges.
 */
export async function linkAtOAuthBank(app: AppBackEnd, secrets: KnownSecrets): Promise<void> {
  for (const [user, finish] of Object.entries(TRAVELERS)) {
    const { visit, session } = await chooseOAuthBank(app);
    const { authorize_url: authorizeUrl } = await startRedirect(visit);
    const callback = new URL(await decideAtBank(authorizeUrl));
    const address = await arriveAtApp(callback.href);
    const ofRedirect = {
      state: callback.searchParams.get('state'),
      code: callback.searchParams.get('code'),
      oauth_state_id: new URL(address).searchParams.get('oauth_state_id'),
      nonce: new URL(authorizeUrl).searchParams.get('nonce'),
    };
    for (const [name, text] of Object.entries(ofRedirect))
      addSealed(secrets, `${name} of ${user}`, text ?? '');
    addSealed(secrets, `tokens of ${user}`, session.link_session_token);
    await finish(visit, address, secrets);
  }
}

const TRAVELERS: Record<
  string,
  (visit: ConnectVisit, address: string, secrets: KnownSecrets) => Promise<unknown>
> = {
  'who came back': async (visit, address) => {
    visit.view = (await submitReturnCall(visit, address)).body;
    return answerQuestions(visit);
  },
  'who resumed': async ({ baseUrl }, address, secrets) => {
    const elsewhere = await ConnectVisit.resume(baseUrl, address);
    addSealed(secrets, 'connect token after a resume', elsewhere.connectToken);
    return answerQuestions(elsewhere);
  },
  'who is on the way': () => Promise.resolve(),
};

/**
 * One user mistypes everything before signing in, one stops at a wrong code, and one repairs a
 * link and stops at the accounts.
 */
export async function linkAtCredentialsBank(app: AppBackEnd, secrets: KnownSecrets): Promise<void> {
  const typed = (name: string, text = `canary-${name}-${crypto.randomUUID()}`): string => {
    addSealed(secrets, `typed ${name}`, text);
    return text;
  };
  const digits = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte % 10).join('');
  const { visit } = await chooseCredentialsBank(app);
  await signIn(visit, typed('user name'), typed('password'));
  await signIn(visit, 'mfa_questions');
  await visit.answer({ kind: 'form', values: { colour: typed('answer'), pet: 'rex' } });
  await visit.answer({ kind: 'form', values: { colour: 'blue', pet: 'rex' } });
  await answerQuestions(visit);

  const { visit: stopped } = await chooseCredentialsBank(app);
  await signIn(stopped, 'mfa_sms');
  await stopped.answer({ kind: 'otp', code: typed('code', digits()) });
  const { visit: looking } = await chooseCredentialsBank(app);
  await signIn(looking, 'mfa_image');
  await looking.answer({ kind: 'image', answer: typed('what the picture shows') });

  const name = 'canary name of an account';
  secrets.canaries.add('name of an account', name);
  const custom = {
    accounts: [
      {
        account_type: 'depository.checking',
        name,
        account_number: '400012345678',
        balances: { currency: 'USD', available: 1, current: 1, limit: null, balance_date: null },
      },
    ],
  };
  const { linkId } = await linkCredentialsBank(app, 'user_custom', { custom_sandbox_data: custom });
  const { link_session_token: token } = await app.createSession({ existing_link_id: linkId });
  const again = await ConnectVisit.open(app.baseUrl, token);
  await again.settle();
  await signIn(again, typed('user name of a relink'), typed('password of a relink'));
  await signIn(again, 'user_good');
}

/** Responses that are stored for a repeated request with the same Idempotency-Key. */
export async function repeatCalls(app: AppBackEnd, secrets: KnownSecrets): Promise<void> {
  const kept = (name: string, text: string): string => {
    addSealed(secrets, name, text);
    return text;
  };
  const keyed = <T>(path: string, body: unknown) =>
    expectStatus<T>(
      201,
      app.call<T>('POST', path, {
        body,
        headers: { 'idempotency-key': `key-of-${crypto.randomUUID()}` },
      }),
    );
  const { link_session_token: token } = await keyed<SessionResponse>('/link-session', {
    customer_user: { id: 'canary-of-a-repeated-call' },
  });
  const visit = await ConnectVisit.open(app.baseUrl, kept('kept link session token', token));
  kept('connect token of a kept session', visit.connectToken);
  await visit.select();
  await keyed('/link-session/exchange-token', {
    exchangeable_token: kept(
      'exchangeable token of a kept answer',
      (await visit.finish()).exchangeable_token,
    ),
  });
}

/** Invalid calls cause errors, and errors are logged. */
export async function misuseCalls(app: AppBackEnd, { canaries }: KnownSecrets): Promise<void> {
  const canary = (name: string): string => {
    const text = `canary-${name}-${crypto.randomUUID()}`;
    canaries.add(name, text);
    return text;
  };
  const { baseUrl } = app;
  await new AppBackEnd(baseUrl, {
    client_id: app.pair.client_id,
    client_secret: canary('wrong secret'),
  }).fetchToken();
  await call(baseUrl, 'POST', '/auth/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${app.pair.client_id}:${canary('wrong basic secret')}`).toString('base64')}`,
    },
    rawBody: '',
  });
  await call(baseUrl, 'GET', '/links', { bearer: canary('wrong access token') });
  await call(baseUrl, 'GET', `/links?access_token=${canary('token in the query')}`);
  await call(baseUrl, 'GET', `/no/such/route?token=${canary('token on an unknown route')}`);
  await app.call('POST', '/link-session', {
    rawBody: `{"customer_user": {"id": "${canary('value in broken JSON')}"`,
  });
  await app.call('POST', '/link-session', {
    body: { customer_user: { id: 7, note: canary('value of a bad field') } },
  });
  await app.exchange(canary('wrong exchangeable token'));
  await ConnectVisit.openCall(baseUrl, canary('wrong session token'));
  await call(baseUrl, 'GET', '/connect/api/session', { bearer: canary('wrong connect token') });
  const visit = await ConnectVisit.open(baseUrl, (await app.createSession()).link_session_token);
  await visit.submit({ kind: 'form', values: { password: canary('typed password') } });
  await visit.submit({ kind: 'otp', code: canary('typed code') });
  await submitReturnCall(visit, `https://app.example/?oauth_state_id=${canary('wrong return')}`);
  await ConnectVisit.resumeCall(
    baseUrl,
    `https://app.example/?oauth_state_id=${canary('wrong resume')}`,
  );
  await fetch(
    `${baseUrl}/connect/oauth/callback?state=${canary('wrong state')}&code=${canary('wrong OAuth code')}`,
  );
}
