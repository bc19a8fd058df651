import { compactVerify, importSPKI, decodeProtectedHeader } from 'jose';
import { randomUUID } from 'node:crypto';
import type { Reply } from '../../http/reply.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Ledger } from '../ledger/ledger.js';
import { refusal } from './errors.js';

const MAX_TTL_SECONDS = 86_400;
/** The tolerance for a clock that is ahead. */
const LEEWAY_SECONDS = 60;

/** The registration at the vendor's control panel. */
export interface Application {
  id: string;
  name: string;
  /** SPKI as PEM. */
  publicKey: string;
  redirectUrls: string[];
  environment: 'SANDBOX' | 'PRODUCTION';
  isActive: boolean;
  /** False: the address of the caller is not on the application's list. */
  isAddressAllowed: boolean;
}

export type NewApplication = Pick<Application, 'publicKey' | 'redirectUrls'> &
  Partial<Omit<Application, 'publicKey' | 'redirectUrls'>>;

/** Calls of the API by method and path, for a request whose application is authenticated. */
export type ApiCalls = Readonly<
  Record<string, (request: SimulatorRequest, application: Application) => Reply | Promise<Reply>>
>;

/** The registered applications, and the check of the tokens they sign. Survives a reset. */
export class Applications {
  readonly #registered = new Map<string, Application>();

  constructor(private readonly ledger: Ledger) {}

  /** Registers an application, or replaces the one with the same id. */
  register(application: NewApplication): Application {
    const registered: Application = {
      id: randomUUID(),
      name: 'Simulated application',
      environment: 'PRODUCTION',
      isActive: true,
      isAddressAllowed: true,
      ...application,
    };
    this.#registered.set(registered.id, registered);
    return registered;
  }

  /**
   * The application that signed the bearer token of a request.
   * @throws Refusal 401 for a missing, wrong, expired or too long-lived token; 403 for an
   *   application that is not active or whose caller's address is not allowed
   */
  async authenticate(request: SimulatorRequest): Promise<Application> {
    const [, token] = /^Bearer (\S+)$/i.exec(request.header('authorization') ?? '') ?? [];
    if (token === undefined) throw refusal('AUTHORIZATION_NOT_PROVIDED');
    const application = this.#registered.get(keyIdOf(token));
    if (application === undefined) throw refusal('UNAUTHORIZED_ACCESS', 'Unknown kid');
    this.#checkClaims(await claimsOf(token, application.publicKey));
    if (!application.isAddressAllowed) throw refusal('UNAUTHORIZED_IP');
    if (!application.isActive) throw refusal('ACCESS_DENIED', 'Application is not active');
    return application;
  }

  /** By the clock of the ledger or the real one: tests that stop the first often use the second. */
  #checkClaims({ iss, aud, iat, exp }: Record<string, unknown>): void {
    if (iss !== 'enablebanking.com') throw refusal('UNAUTHORIZED_ACCESS', 'Wrong iss');
    if (aud !== 'api.enablebanking.com') throw refusal('UNAUTHORIZED_ACCESS', 'Wrong aud');
    if (typeof iat !== 'number' || typeof exp !== 'number') {
      throw refusal('UNAUTHORIZED_ACCESS', 'iat and exp are required');
    }
    if (exp - iat > MAX_TTL_SECONDS) throw refusal('UNAUTHORIZED_ACCESS', 'Token lives too long');
    const clocks = [this.ledger.now().getTime() / 1_000, Date.now() / 1_000];
    if (!clocks.some((now) => now < exp)) throw refusal('UNAUTHORIZED_ACCESS', 'Token is expired');
    if (!clocks.some((now) => now < exp && iat <= now + LEEWAY_SECONDS)) {
      throw refusal('UNAUTHORIZED_ACCESS', 'Token is issued in the future');
    }
  }
}

function keyIdOf(token: string): string {
  try {
    const { alg, kid = '' } = decodeProtectedHeader(token);
    if (alg === 'RS256') return kid;
  } catch {
    // not a token: refused like one of another algorithm
  }
  throw refusal('UNAUTHORIZED_ACCESS', 'Only RS256 is supported');
}

async function claimsOf(token: string, publicKey: string): Promise<Record<string, unknown>> {
  try {
    const key = await importSPKI(publicKey, 'RS256');
    const { payload } = await compactVerify(token, key, { algorithms: ['RS256'] });
    return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
  } catch {
    throw refusal('UNAUTHORIZED_ACCESS', 'Wrong signature');
  }
}
