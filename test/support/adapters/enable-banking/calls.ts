import { remoteIdOf } from '../../../../providers/enable-banking/catalog/remote-id.js';
import {
  encodeCredential,
  encodeRedirect,
} from '../../../../providers/enable-banking/client/sealed.js';
import { createEnableBankingProvider } from '../../../../providers/enable-banking/enable-banking-adapter.js';
import { ENABLE_BANKING_SETTINGS } from '../../../../providers/enable-banking/settings.js';
import { newKeys } from '../../fixtures/enable-banking-application.js';
import { accessWith, loginContext, redirectRequest } from '../../fixtures/provider-calls.js';
import {
  checking,
  redirectUri,
  RETURN,
  state,
  type CallingAdapter,
  reachedBy,
} from '../calling-adapter.js';

const ASPSP = { name: 'Meridian Bank', country: 'DE' };

/** Generated once, because it takes long. */
let keys: ReturnType<typeof newKeys> | undefined;

const CALLS: CallingAdapter = {
  create: async ({ environment, origin, resolve }) =>
    createEnableBankingProvider(
      {
        adapter: 'enable-banking',
        name: 'enable-banking',
        environment,
        settings: ENABLE_BANKING_SETTINGS.public.parse({
          applicationId: 'cf589be3-3755-465b-a8df-a90a16a31403',
          apiAddress: origin,
          redirectAddress: redirectUri,
        }),
        secrets: { privateKey: (await (keys ??= newKeys())).privateKey },
      },
      reachedBy(resolve),
    ),
  calls() {
    const remoteId = remoteIdOf(ASPSP);
    const access = accessWith(
      {
        reference: 'session',
        credential: encodeCredential({
          sessionId: 'session',
          psuHeaders: [],
          accounts: [
            { id: 'account', uid: 'uid', iban: null, bban: null, bic: null, currency: 'EUR' },
          ],
        }),
      },
      remoteId,
    );
    const started = encodeRedirect({
      state,
      redirectUri,
      aspsp: ASPSP,
      bic: null,
      psuHeaders: [],
    });
    return {
      check: checking,
      catalog: async (provider) =>
        provider
          .listInstitutions?.({ countries: ['DE'], note: access.note, signal: access.signal })
          [Symbol.asyncIterator]()
          .next(),
      'start of a login': async (provider) =>
        provider.startRedirect?.(loginContext({ remoteId }), redirectRequest()),
      'end of a login': async (provider) =>
        provider.completeRedirect?.(loginContext({ remoteId }), started, RETURN),
      accounts: (provider) => provider.fetchAccounts(access),
      revocation: async (provider) => provider.revoke?.(access),
    };
  },
};
export default CALLS;
