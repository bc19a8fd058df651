import { html } from '../../http/html.js';
import { redirectTo, type Reply } from '../../http/reply.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Handler, Routes } from '../../http/routes.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  startVendorServer,
  type VendorServer,
  type VendorServerOptions,
} from '../server/start-vendor-server.js';
import { customerChoice, vendorPage } from '../server/vendor-page.js';
import { enableBankingAdminRoutes } from './admin-routes.js';
import {
  Applications,
  type ApiCalls,
  type Application,
  type NewApplication,
} from './applications.js';
import { aspspsOf, aspspView } from './aspsps.js';
import { dataCalls } from './data-calls.js';
import { refusal } from './errors.js';
import { OrderedErrors } from './ordered-errors.js';
import { sessionCalls } from './session-calls.js';
import { Sessions } from './sessions.js';

export interface EnableBankingOptions extends VendorServerOptions {
  /** Registered from the start; others by POST /simulator/enable-banking/applications. */
  applications?: readonly NewApplication[];
}

/** Starts the API of the aggregator, and the page that represents its banks. */
export function start(options: EnableBankingOptions): Promise<VendorServer> {
  const { ledger } = options;
  const applications = new Applications(ledger);
  for (const application of options.applications ?? []) applications.register(application);
  const sessions = new Sessions(ledger);
  const errors = new OrderedErrors(ledger);
  return startVendorServer('enable-banking', options, (url) => ({
    routes: {
      ...apiRoutes(ledger, { applications, sessions, errors, url }),
      ...pageRoutes(ledger, sessions),
    },
    admin: enableBankingAdminRoutes({ ledger, applications, sessions, errors }),
  }));
}

interface ApiParts {
  applications: Applications;
  sessions: Sessions;
  errors: OrderedErrors;
  url: string;
}

function apiRoutes(ledger: Ledger, { applications, sessions, errors, url }: ApiParts): Routes {
  const calls: ApiCalls = {
    'GET /aspsps': (request) => listAspsps(ledger, request),
    'GET /application': (_request, application) => ({
      status: 200,
      json: applicationView(ledger, application),
    }),
    ...sessionCalls(ledger, sessions, url),
    ...dataCalls(ledger, sessions),
  };
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]): [string, Handler] => [
      name,
      async (request) => {
        const application = await applications.authenticate(request);
        errors.meet(request.path);
        return call(request, application);
      },
    ]),
  );
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

/** The bank's page where a customer signs in and decides. */
function pageRoutes(ledger: Ledger, sessions: Sessions): Routes {
  return {
    'GET /enable-banking/authorize': ({ query }) => {
      const pending = sessions.pending(query.get('sessionid') ?? '');
      if (pending === null) return endedPage();
      return vendorPage(
        `${ledger.bank(pending.bankId).name} (simulator)`,
        html`<p>An app asks to read your accounts, balances and transactions.</p>
<form method="post" action="/enable-banking/authorize">
<input type="hidden" name="sessionid" value="${pending.id}">
${customerChoice('Sign in as', ledger.data.customers)}
<button type="submit" name="decision" value="accept">Accept</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
      );
    },
    'POST /enable-banking/authorize': async (request) => {
      const form = await request.form();
      const pending = sessions.pending(form.get('sessionid') ?? '');
      const accepts = form.get('decision') === 'accept';
      const customer = ledger.data.customers.find(({ id }) => id === form.get('customer'));
      if (pending === null || (accepts && customer === undefined)) return endedPage();
      return redirectTo(sessions.decide(pending, accepts ? (customer?.id ?? null) : null));
    },
  };
}

/** Shown for an unknown session or one already decided. */
const endedPage = (): Reply =>
  vendorPage(
    'Nothing to decide',
    html`<p>This sign-in has expired. Start again in the app.</p>`,
    404,
  );
