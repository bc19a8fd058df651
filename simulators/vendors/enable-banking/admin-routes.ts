import { z } from 'zod';
import { withWords } from '../admin/admin-routes.js';
import type { Route } from '../http/route.js';
import { LedgerError, type Ledger } from '../ledger/ledger.js';
import { readApplication } from './application-body.js';
import type { Applications } from './applications.js';
import { ERROR_CODES } from './errors.js';
import type { OrderedErrors } from './ordered-errors.js';
import type { Sessions } from './sessions.js';

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

/** Calls of tests at /simulator/enable-banking. */
export function enableBankingAdminRoutes(parts: Parts): Route[] {
  const { ledger, applications, sessions, errors } = parts;
  const post = (name: string, run: (body: unknown) => unknown): Route => ({
    method: 'POST',
    path: `/simulator/enable-banking/${name}`,
    handle: (request) => withWords(async () => run(await request.json())),
  });
  return [
    {
      // Registers an application, or replaces the one with the same id.
      method: 'POST',
      path: '/simulator/enable-banking/applications',
      handle: (request) =>
        withWords(async () => applications.register(await readApplication(request))),
    },
    // A login without a browser: the redirect of the page.
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
