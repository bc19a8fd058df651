import { z } from 'zod';
import type { Routes } from '../../http/routes.js';
import { order } from '../server/admin-routes.js';
import type { FdxBank } from './fdx-bank.types.js';
import { TRIAL_CERTIFICATE_SUBJECT } from './trial-values.js';

const clientBody = z.strictObject({
  /** Missing = at all institutions. */
  institution: z.string().optional(),
  redirectUris: z.array(z.url()).optional(),
  jwks: z.strictObject({ keys: z.array(z.looseObject({ kty: z.string() })) }).optional(),
  jwksUri: z.url().optional(),
  mayRenew: z.boolean().optional(),
});

const certificateBody = z
  .strictObject({
    subject: z.string().default(TRIAL_CERTIFICATE_SUBJECT),
    isExpired: z.boolean().default(false),
  })
  .prefault({});

const lossBody = z.strictObject({
  institution: z.string(),
  times: z.int().positive().default(1),
});

/** Calls of tests and demos besides the common calls under /simulator. */
export function fdxAdminRoutes(
  bank: () => Pick<
    FdxBank,
    'trial' | 'registerClient' | 'certificates' | 'endAccessTokens' | 'loseTokenResponses'
  >,
): Routes {
  return {
    'GET /simulator/fdx/trial-values': () => ({ status: 200, json: bank().trial }),
    'POST /simulator/fdx/client': order(clientBody, ({ institution, ...changes }) => {
      bank().registerClient(changes, institution);
      return { registered: true };
    }),
    'POST /simulator/fdx/certificates': order(certificateBody, (wanted) =>
      bank().certificates.issueForClient(wanted),
    ),
    'POST /simulator/fdx/end-access-tokens': () => {
      bank().endAccessTokens();
      return { status: 204 };
    },
    'POST /simulator/fdx/lose-token-responses': order(lossBody, ({ institution, times }) => {
      bank().loseTokenResponses(institution, times);
      return { institution, times };
    }),
  };
}
