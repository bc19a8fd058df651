import { encodeCredential } from '../../../../providers/simplefin/client/access-url.js';
import { createSimplefinProvider } from '../../../../providers/simplefin/simplefin-adapter.js';
import { SIMPLEFIN_SETTINGS } from '../../../../providers/simplefin/settings.js';
import { accessWith, loginContext } from '../../fixtures/provider-calls.js';
import { setupTokenFor, tokenForm } from '../../fixtures/simplefin-server.js';
import { checking, reachedBy, type CallingAdapter } from '../calling-adapter.js';

const CALLS: CallingAdapter = {
  create: ({ environment, origin, resolve }) =>
    Promise.resolve(
      createSimplefinProvider(
        {
          adapter: 'simplefin',
          name: 'simplefin',
          environment,
          settings: SIMPLEFIN_SETTINGS.public.parse({
            server: `${origin}/simplefin`,
            hosts: [new URL(origin).host],
            allowLoopback: environment === 'sandbox',
          }),
          secrets: {},
        },
        reachedBy(resolve),
      ),
    ),
  calls(origin) {
    const credential = encodeCredential(origin.replace('://', '://user:password@') + '/simplefin');
    return {
      check: checking,
      claim: async (provider) =>
        provider.advance?.(
          loginContext({ remoteId: 'us' }),
          new Uint8Array(),
          tokenForm(setupTokenFor(`${origin}/simplefin/claim/A`)),
        ),
      accounts: (provider) =>
        provider.fetchAccounts(accessWith({ credential, reference: 'permission' }, 'us')),
    };
  },
};
export default CALLS;
