import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { CountryCode, Products, type LinkTokenCreateRequest, type PlaidApi } from 'plaid';
import { BANK, startApiInProcess, type ApiInProcess } from './api-in-process.js';
import { plaidOf } from './plaid-client.js';

/** What the front end got of a finished session. */
export interface Finished {
  mode: string;
  public_token: string;
  completion_redirect_uri?: string | null;
}

export interface PlaidService {
  readonly api: ApiInProcess;
  /** The official client with the Sandbox keys of the usual app. */
  readonly plaid: PlaidApi;
  /** A token for a new Item at the bank that asks nothing, unless the fields say otherwise. */
  create(over?: object): ReturnType<PlaidApi['linkTokenCreate']>;
  /** What the front end does: opens the token in Connect, links the bank, and gets the public token. */
  link(linkToken: string, origin?: string): Promise<Finished>;
  /** All of it, and the exchange. */
  item(over?: object): Promise<{ item_id: string; access_token: string }>;
}

export const LINK_REQUEST: LinkTokenCreateRequest = {
  client_name: 'Pocket Ledger',
  language: 'en',
  country_codes: [CountryCode.Us],
  user: { client_user_id: 'user-4711' },
  products: [Products.Transactions],
};

/** The API for the tests of one file, without the limits of the layer unless the settings say otherwise. */
export function plaidServiceOfFile(
  settings: Record<string, string> = { RATE_LIMIT_COMPAT: 'off' },
): PlaidService {
  let started: ApiInProcess | undefined;
  beforeAll(async () => {
    started = await startApiInProcess(settings);
  });
  afterAll(() => started?.close(), 30_000);

  const service: PlaidService = {
    get api() {
      if (started === undefined) throw new Error('the service has not started');
      return started;
    },
    get plaid() {
      return plaidOf(service.api);
    },
    create: (over = {}) => service.plaid.linkTokenCreate({ ...LINK_REQUEST, ...over }),
    async link(linkToken, origin = 'https://app.example') {
      const { api } = service.api;
      const opened = await api.post('/connect/api/session/open', {
        json: { link_session_token: linkToken, request_id: randomUUID(), origin, platform: 'web' },
      });
      const { connect_token: token, seq } = opened.body as { connect_token: string; seq: number };
      const connect = api.as(token);
      await connect.post('/connect/api/session/step', {
        json: {
          seq,
          request_id: randomUUID(),
          input: { kind: 'select_institution', institution_id: BANK },
        },
      });
      return (
        await connect.post('/connect/api/session/finish', { json: { request_id: randomUUID() } })
      ).body as Finished;
    },
    async item(over = {}) {
      const {
        data: { link_token: token },
      } = await service.create(over);
      const { public_token: publicToken } = await service.link(token);
      return (await service.plaid.itemPublicTokenExchange({ public_token: publicToken })).data;
    },
  };
  return service;
}
