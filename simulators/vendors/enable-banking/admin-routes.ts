import { z } from 'zod';
import { order, withReason } from '../server/admin-routes.js';
import type { Routes } from '../../http/routes.js';
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
export function enableBankingAdminRoutes(parts: Parts): Routes {
  const { ledger, applications, sessions, errors } = parts;
  return {
    // Registers an application, or replaces the one with the same id.
    'POST /simulator/enable-banking/applications': (request) =>
      withReason(async () => applications.register(await readApplication(request))),
    // A login without a browser: the redirect of the page.
    'POST /simulator/enable-banking/authorize': order(authorizeBody, ({ state, customer }) => {
      const pending = sessions.pendingByState(state);
      if (pending === null) throw new LedgerError(`No authorization waits with state ${state}.`);
      const customerId = customer === null ? null : ledger.customer(customer).id;
      return { redirectTo: sessions.decide(pending, customerId) };
    }),
    // An error of the vendor's list for the next calls.
    'POST /simulator/enable-banking/error': order(errorBody, (ordered) => {
      errors.order(ordered);
      return { ordered };
    }),
  };
}
