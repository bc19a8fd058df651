import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { ConsoleCodeRepository } from '../../../../prisma/operations/console/console-code.repository.js';
import { addressBlock } from '../../../platform/src/limits/address-block.js';
import { TokenBuckets } from '../../../platform/src/limits/token-buckets.js';
import { ConsoleFailure } from '../access/console-failure.js';
import type { DescribeSession } from './describe-session.js';
import type { OidcSignIn } from './oidc.js';
import type { SessionCookie } from './session-cookie.js';
import type { Sessions } from './sessions.js';

const MAX_CODE = 100;
const MAX_QUERY = 4_000;
/** Tries to sign in by address: codes have 256 bits, so this bounds the work alone. */
const TRIES = { perSecond: 1, burst: 60 };
const OIDC_COOKIE_MS = 600_000;

const CODE = z.strictObject({ code: z.string().min(1).max(MAX_CODE) });
const RETURN = z.strictObject({ query: z.string().max(MAX_QUERY) });

export interface SignInParts {
  codes: ConsoleCodeRepository;
  sessions: Sessions;
  describeSession: DescribeSession;
  /** Null = only one-time links sign in. */
  oidc: OidcSignIn | null;
  oidcCookie: SessionCookie;
}

/** The calls below `/api/session`. */
export function signInRoutes({
  codes,
  sessions,
  describeSession,
  oidc,
  oidcCookie,
}: SignInParts): Router {
  const tries = new TokenBuckets(TRIES);
  const takeTry = ({ ip = '' }: Request): void => {
    if (tries.take(addressBlock(ip)) > 0)
      throw new ConsoleFailure(429, 'console.too_many_tries', 'Too many tries: wait a minute.');
  };
  const returnTry = ({ ip = '' }: Request): void => tries.release(addressBlock(ip));
  const usedCode = () =>
    new ConsoleFailure(
      401,
      'console.code_unusable',
      'This link was used, or is older than ten minutes: make a new one.',
    );
  const router = Router();
  router.get('/options', (_request, response) => void response.json({ oidc: oidc !== null }));
  router.post('/code/holder', async (request, response) => {
    takeTry(request);
    const holder = await codes.peek(CODE.parse(request.body).code);
    if (holder === null) throw usedCode();
    returnTry(request);
    const { role, appId, isReadOnly, label } = holder;
    response.json({ role, app_id: appId, is_read_only: isReadOnly, label });
  });
  router.post('/code', async (request, response) => {
    takeTry(request);
    const holder = await codes.use(CODE.parse(request.body).code);
    if (holder === null) throw usedCode();
    returnTry(request);
    const { label, ...grant } = holder;
    await sessions.begin(request, response, { actor: `link:${label}`, grants: [grant] });
  });
  router.post('/oidc/start', async (request, response) => {
    takeTry(request);
    const { url, browser } = await offered(oidc).start();
    oidcCookie.set(response, browser, OIDC_COOKIE_MS);
    response.json({ url });
  });
  router.post('/oidc/return', async (request: Request, response: Response) => {
    takeTry(request);
    const { query } = RETURN.parse(request.body);
    const signedIn = await offered(oidc).complete(query, oidcCookie.read(request));
    returnTry(request);
    oidcCookie.clear(response);
    await sessions.begin(request, response, signedIn);
  });
  router.get('/', async (request, response) => {
    response.json(await describeSession(await sessions.of(request)));
  });
  router.delete('/', (request, response) => sessions.end(request, response));
  return router;
}

function offered(oidc: OidcSignIn | null): OidcSignIn {
  if (oidc !== null) return oidc;
  throw new ConsoleFailure(404, 'console.no_provider', 'No provider signs operators in here.');
}
