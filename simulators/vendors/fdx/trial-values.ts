/** Secret of the institutions with `client_secret_basic`. It protects nothing: all data here is invented. */
export const TRIAL_CLIENT_SECRET = 'trial-client-secret-of-the-simulator';

/** Every customer of the ledger signs in with the id as user name and this password. */
export const TRIAL_PASSWORD = 'trial-pass';

/** The path at which Tributary's API receives users, on any port of this machine (RFC 8252, 7.3). */
export const TRIAL_REDIRECT_URI = 'http://127.0.0.1/connect/oauth/callback';

/** Subject of the client certificates that `mtls-fdx` accepts. */
export const TRIAL_CERTIFICATE_SUBJECT = 'CN=trial-client,O=Tributary Simulator Trials';
