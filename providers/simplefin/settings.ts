import { z } from 'zod';
import { parseUrl } from '../../domain/addresses/parse-url.js';
import { COUNTRIES } from '../../domain/institutions/countries.js';
import type { AdapterSettings } from '../adapter.js';
import { refusedInLive } from '../http/address-reach.js';

/** `name` or `name:port`; a name alone means port 443. */
const HOST = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/;

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;

const publicSettings = z
  .strictObject({
    server: z
      .url({ protocol: /^https?$/, error: 'must be an https address' })
      .default('https://bridge.simplefin.org/simplefin')
      .describe('The SimpleFIN server at which users create setup tokens, without /create.'),
    hosts: z
      .array(
        z.string().regex(HOST, 'must be a host in lower case, with a port only if it is not 443'),
      )
      .min(1)
      .max(20)
      .default(['bridge.simplefin.org', 'beta-bridge.simplefin.org'])
      .describe('The only hosts that a setup token or an access URL may name.'),
    institutionName: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('What users call the server; by default SimpleFIN Bridge, or the host of another.'),
    institutionDomain: z
      .string()
      .regex(DOMAIN, 'must be a domain in lower case, such as example.org')
      .optional()
      .describe('The domain of who runs the server; by default that of the server.'),
    countries: z
      .array(
        z.enum(COUNTRIES, 'must be US, CA, GB or a country of the EEA, as its code of two letters'),
      )
      .min(1)
      .max(COUNTRIES.length)
      .default(['US', 'CA'])
      .describe('Where the server is listed: one institution in each country.'),
    allowLoopback: z
      .boolean()
      .default(false)
      .describe('Also accept http and this machine, for a simulator. Not for Live.'),
  })
  .refine(
    ({ server, hosts }) => {
      const url = parseUrl(server);
      return url === null || hosts.includes(url.host);
    },
    {
      path: ['server'],
      error: 'must be at one of the hosts',
    },
  );

export type SimplefinPublicSettings = z.output<typeof publicSettings>;

/** The operator needs no keys: each user provides a setup token. */
export const SIMPLEFIN_SETTINGS = {
  public: publicSettings,
  secret: z.strictObject({}),
  // Users end their access URLs at the server; the protocol does not have a call for it.
  cannotRevoke: () => ['*'],
  refusedIn(environment, settings) {
    // `public` has already parsed it.
    const { server, allowLoopback } = settings as SimplefinPublicSettings;
    return refusedInLive(environment, { allowLoopback, addresses: [['server', server]] });
  },
} satisfies AdapterSettings;
