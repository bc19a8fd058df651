import { createHash } from 'node:crypto';
import { failure, ok, ScriptedSession } from '../../connect-app/support/scripted-session.js';
import {
  ACCOUNTS,
  CONSENT,
  CREDENTIALS,
  CREDENTIALS_BANK,
  OAUTH_BANK,
  REDIRECT,
} from '../../connect-app/support/views.js';

/** The state that the scripted bank returns in the return address. */
export const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';
const REDIRECT_URI = 'pocketledger://bank-return';

/** Sessions that the tests of the SDKs for phones play, by name. */
export const PHONE_STORIES: Readonly<Record<string, () => ScriptedSession>> = {
  credentials: () => {
    const session = new ScriptedSession(CREDENTIALS, { institution: CREDENTIALS_BANK });
    session.then(() => ACCOUNTS);
    return session;
  },
  accounts: () => withSuccess(new ScriptedSession(ACCOUNTS, { institution: CREDENTIALS_BANK })),
  relink: () =>
    withSuccess(new ScriptedSession(ACCOUNTS, { institution: CREDENTIALS_BANK, mode: 'relink' })),
  oauth: () => oauth(REDIRECT),
  'oauth-denied': () => {
    const session = oauth(REDIRECT);
    session.on('POST /session/oauth/return', () => ok(session.show(REDIRECT)));
    return session;
  },
  resumed: () => withSuccess(new ScriptedSession(CONSENT, { institution: OAUTH_BANK })),
  'someone-elses-link': () => {
    const session = oauth(REDIRECT);
    session.on('POST /session/resume', () => failure(422, 'connect_error.oauth_state_invalid'));
    return session;
  },
};

function withSuccess(session: ScriptedSession): ScriptedSession {
  session.then((input) => (input['cancel'] === true ? REDIRECT : { kind: 'success' }));
  return session;
}

function oauth(step: typeof REDIRECT): ScriptedSession {
  const session = withSuccess(
    new ScriptedSession(step, { institution: OAUTH_BANK, redirect_uri: REDIRECT_URI }),
  );
  session.on('POST /session/oauth/start', () =>
    ok({
      authorize_url: 'https://oauth-bank.example/authorize',
      state_hash: createHash('sha256').update(STATE_ID).digest('base64url'),
      expires_at: session.view.expires_at,
      view: session.show({ kind: 'redirect', started: true }),
    }),
  );
  session.on('POST /session/oauth/return', () => ok(session.show(ACCOUNTS)));
  return session;
}
