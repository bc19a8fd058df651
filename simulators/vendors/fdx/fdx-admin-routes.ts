import { z } from 'zod';
import { withWords } from '../admin/admin-routes.js';
import type { Route } from '../http/route.js';
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

const certificateBody = z.strictObject({
  subject: z.string().default(TRIAL_CERTIFICATE_SUBJECT),
  isExpired: z.boolean().default(false),
});

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
): Route[] {
  return [
    {
      method: 'GET',
      path: '/simulator/fdx/trial-values',
      handle: () => ({ status: 200, json: bank().trial }),
    },
    {
      method: 'POST',
      path: '/simulator/fdx/client',
      handle: (request) =>
        withWords(async () => {
          const { institution, ...changes } = clientBody.parse(await request.json());
          bank().registerClient(changes, institution);
          return { registered: true };
        }),
    },
    {
      method: 'POST',
      path: '/simulator/fdx/certificates',
      handle: (request) =>
        withWords(async () =>
          bank().certificates.issueForClient(certificateBody.parse((await request.json()) ?? {})),
        ),
    },
    {
      method: 'POST',
      path: '/simulator/fdx/end-access-tokens',
      handle: () => {
        bank().endAccessTokens();
        return { status: 204 };
      },
    },
    {
      method: 'POST',
      path: '/simulator/fdx/lose-token-responses',
      handle: (request) =>
        withWords(async () => {
          const { institution, times } = lossBody.parse(await request.json());
          bank().loseTokenResponses(institution, times);
          return { institution, times };
        }),
    },
  ];
}
