import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../domain/api/environment.js';
import type { ApplicationRepository } from './application.repository.js';
import { hashClientSecret } from './client-secret.js';

const CLIENT_ID_BYTES = 10;
const CLIENT_SECRET_BYTES = 32;

export interface KeyPair {
  /** native-api 1.2: `sandbox_` or `live_` and 20 lower-case hex characters. */
  clientId: string;
  /** 256 random bits; shown once, stored only as its hash. */
  clientSecret: string;
}

export function makeKeyPair(environment: Environment): KeyPair {
  return {
    clientId: `${environment}_${randomBytes(CLIENT_ID_BYTES).toString('hex')}`,
    clientSecret: makeClientSecret(),
  };
}

export function makeClientSecret(): string {
  return randomBytes(CLIENT_SECRET_BYTES).toString('base64url');
}

export interface NewIssue {
  appId: string;
  name: string;
  liveLimit: number;
  redirectOrigins: readonly string[];
  pageOrigins: readonly string[];
}

export interface IssuedApplication {
  appId: string;
  name: string;
  sandbox: KeyPair;
  live: KeyPair;
}

/**
 * Creates an app with a key pair for each environment. The secrets are available only in the
 * returned value.
 */
export async function issueApplication(
  applications: Pick<ApplicationRepository, 'createApplication'>,
  app: NewIssue,
): Promise<IssuedApplication> {
  const sandbox = makeKeyPair('sandbox');
  const live = makeKeyPair('live');
  await applications.createApplication({
    appId: app.appId,
    name: app.name,
    redirectOrigins: app.redirectOrigins,
    pageOrigins: app.pageOrigins,
    clients: [asClient('sandbox', sandbox, app.liveLimit), asClient('live', live, app.liveLimit)],
  });
  return { appId: app.appId, name: app.name, sandbox, live };
}

function asClient(environment: Environment, pair: KeyPair, liveLimit: number) {
  return {
    clientId: pair.clientId,
    environment,
    secretHash: hashClientSecret(pair.clientSecret),
    liveLimit,
  };
}

/** An app in the form that `standalone.json` and `apps create --json` show. */
export function presentIssued(app: IssuedApplication) {
  return {
    app_id: app.appId,
    name: app.name,
    sandbox: presentPair(app.sandbox),
    live: presentPair(app.live),
  };
}

const presentPair = ({ clientId, clientSecret }: KeyPair) => ({
  client_id: clientId,
  client_secret: clientSecret,
});
