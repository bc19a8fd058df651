import { z } from 'zod';
import { withWords } from '../admin/admin-routes.js';
import type { Route } from '../http/route.js';
import { LedgerError, type Ledger } from '../ledger/ledger.js';
import type { Applications } from './applications.js';
import { ERROR_CODES } from './errors.js';
import type { OrderedErrors } from './ordered-errors.js';
import type { Sessions } from './sessions.js';

const applicationBody = z.strictObject({
  id: z.uuid().optional(),
  name: z.string().optional(),
  /** SPKI as PEM. */
  publicKey: z.string().startsWith('-----BEGIN PUBLIC KEY-----'),
  redirectUrls: z.array(z.url()),
  environment: z.enum(['SANDBOX', 'PRODUCTION']).optional(),
  isActive: z.boolean().optional(),
  isAddressAllowed: z.boolean().optional(),
});

const authorizeBody = z.strictObject({
  state: z.string(),
  /** null = denies. */
  customer: z.string().nullable().default('trial'),
});

const errorBody = z.strictObject({
  error: z.enum(ERROR_CODES),
  path: z.string().startsWith('/').default('/'),
  times: z.int().positive().default(1),
});

interface Parts {
  ledger: Ledger;
  applications: Applications;
  sessions: Sessions;
  errors: OrderedErrors;
}

/** What tests call at /simulator/enable-banking. */
export function enableBankingAdminRoutes(parts: Parts): Route[] {
  const { ledger, applications, sessions, errors } = parts;
  const post = (name: string, run: (body: unknown) => unknown): Route => ({
    method: 'POST',
    path: `/simulator/enable-banking/${name}`,
    handle: (request) => withWords(async () => run(await request.json())),
  });
  return [
    // Registers an application, or replaces the one with the same id.
    post('applications', (body) => applications.register(dropMissing(applicationBody.parse(body)))),
    // A login without a browser: what the page would redirect to.
    post('authorize', (body) => {
      const { state, customer } = authorizeBody.parse(body);
      const pending = sessions.pendingByState(state);
      if (pending === null) throw new LedgerError(`No authorization waits with state ${state}.`);
      const customerId = customer === null ? null : ledger.customer(customer).id;
      return { redirectTo: sessions.decide(pending, customerId) };
    }),
    // An error of the vendor's list for the next calls.
    post('error', (body) => {
      const ordered = errorBody.parse(body);
      errors.order(ordered);
      return { ordered };
    }),
  ];
}

/** Without properties that are undefined, which would hide a default. */
const dropMissing = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
