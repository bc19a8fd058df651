import type { Route } from '../http/route.js';
import { page, redirectTo, type Reply } from '../http/reply.js';
import { serveRoutes } from '../http/route.js';
import type { SimulatorRequest } from '../http/simulator-request.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  startVendorServer,
  type VendorServer,
  type VendorServerOptions,
} from '../server/start-vendor-server.js';
import { enableBankingAdminRoutes } from './admin-routes.js';
import { Applications, type Application, type NewApplication } from './applications.js';
import { aspspsOf, aspspView } from './aspsps.js';
import { authorizePage, endedPage } from './authorize-page.js';
import { dataCalls } from './data-routes.js';
import { refusal } from './errors.js';
import { OrderedErrors } from './ordered-errors.js';
import { sessionCalls } from './session-routes.js';
import { Sessions } from './sessions.js';

export interface EnableBankingOptions extends VendorServerOptions {
  /** Registered from the start; others by POST /simulator/enable-banking/applications. */
  applications?: readonly NewApplication[];
}

/** Starts the API of the aggregator, and the page that represents its banks. */
export function createEnableBankingServer(options: EnableBankingOptions): Promise<VendorServer> {
  const { ledger } = options;
  const applications = new Applications(ledger);
  for (const application of options.applications ?? []) applications.register(application);
  const sessions = new Sessions(ledger);
  const errors = new OrderedErrors(ledger);
  return startVendorServer('enable-banking', options, (url) => ({
    listener: serveRoutes([
      ...apiRoutes(ledger, { applications, sessions, errors, url }),
      ...pageRoutes(ledger, sessions),
    ]),
    admin: enableBankingAdminRoutes({ ledger, applications, sessions, errors }),
  }));
}

interface ApiParts {
  applications: Applications;
  sessions: Sessions;
  errors: OrderedErrors;
  url: string;
}

function apiRoutes(ledger: Ledger, { applications, sessions, errors, url }: ApiParts): Route[] {
  type Call = (request: SimulatorRequest, application: Application) => Reply | Promise<Reply>;
  const api = (method: Route['method'], path: string, call: Call): Route => ({
    method,
    path,
    handle: async (request) => {
      const application = await applications.authenticate(request);
      errors.meet(request.path);
      return call(request, application);
    },
  });
  const session = sessionCalls(ledger, sessions, url);
  const data = dataCalls(ledger, sessions);
  return [
    api('GET', '/aspsps', (request) => listAspsps(ledger, request)),
    api('GET', '/application', (_request, application) => ({
      status: 200,
      json: applicationView(ledger, application),
    })),
    api('POST', '/auth', session.startAuthorization),
    api('POST', '/sessions', session.authorizeSession),
    api('GET', '/sessions/{id}', session.readSession),
    api('DELETE', '/sessions/{id}', session.deleteSession),
    api('GET', '/accounts/{uid}/details', data.details),
    api('GET', '/accounts/{uid}/balances', data.balances),
    api('GET', '/accounts/{uid}/transactions', data.transactions),
  ];
}

function listAspsps(ledger: Ledger, { query }: SimulatorRequest): Reply {
  const country = query.get('country');
  if (country !== null && !/^[A-Z]{2}$/.test(country)) {
    throw refusal('WRONG_REQUEST_PARAMETERS', 'country must be two capital letters');
  }
  const isServed =
    [null, 'AIS'].includes(query.get('service')) &&
    [null, 'personal'].includes(query.get('psu_type'));
  const aspsps = isServed ? aspspsOf(ledger, country).map(aspspView) : [];
  return { status: 200, json: { aspsps } };
}

const applicationView = (ledger: Ledger, application: Application) => ({
  name: application.name,
  description: null,
  kid: application.id,
  environment: application.environment,
  redirect_urls: application.redirectUrls,
  active: application.isActive,
  countries: [...new Set(aspspsOf(ledger, null).map(({ country }) => country))],
  services: ['AIS'],
});

function pageRoutes(ledger: Ledger, sessions: Sessions): Route[] {
  const path = '/enable-banking/authorize';
  return [
    {
      method: 'GET',
      path,
      handle: ({ query }) => {
        const pending = sessions.pending(query.get('sessionid') ?? '');
        if (pending === null) return page(endedPage(), 404);
        return page(authorizePage(ledger.bank(pending.bankId), pending.id, ledger.data.customers));
      },
    },
    {
      method: 'POST',
      path,
      handle: async (request) => {
        const form = await request.form();
        const pending = sessions.pending(form.get('sessionid') ?? '');
        const accepts = form.get('decision') === 'accept';
        const customer = ledger.data.customers.find(({ id }) => id === form.get('customer'));
        if (pending === null || (accepts && customer === undefined)) return page(endedPage(), 404);
        return redirectTo(sessions.decide(pending, accepts ? (customer?.id ?? null) : null));
      },
    },
  ];
}
