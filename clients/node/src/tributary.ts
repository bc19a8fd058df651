import { readOptions, type TributaryOptions } from './client-options.js';
import type { MoneyForm } from './money.js';
import { Requester } from './requests/requester.js';
import { Accounts } from './resources/accounts.js';
import { Holdings } from './resources/holdings.js';
import { Identity } from './resources/identity.js';
import { Institutions } from './resources/institutions.js';
import { InvestmentTransactions } from './resources/investment-transactions.js';
import { Liabilities } from './resources/liabilities.js';
import { LinkSessions } from './resources/link-sessions.js';
import { Links } from './resources/links.js';
import { Recurring } from './resources/recurring.js';
import { Sandbox } from './resources/sandbox.js';
import { Tokens } from './resources/tokens.js';
import { Transactions } from './resources/transactions.js';
import { Users } from './resources/users.js';
import { Webhooks } from './resources/webhooks.js';

/**
 * A client for the back end of an app. Create one and share it: its calls share an access token.
 * Methods are named after the operations of the API reference (`/docs` of your service).
 */
export class Tributary<Money extends MoneyForm = 'number'> {
  readonly accounts: Accounts<Money>;
  readonly holdings: Holdings<Money>;
  readonly identity: Identity<Money>;
  readonly institutions: Institutions;
  readonly investmentTransactions: InvestmentTransactions<Money>;
  readonly liabilities: Liabilities<Money>;
  readonly linkSessions: LinkSessions;
  readonly links: Links<Money>;
  readonly recurring: Recurring<Money>;
  readonly sandbox: Sandbox;
  readonly tokens: Tokens;
  readonly transactions: Transactions<Money>;
  readonly users: Users<Money>;
  readonly webhooks: Webhooks;

  /** @throws ConfigurationError when an option is wrong, or the address of the service is missing */
  constructor(options: TributaryOptions<Money> = {}) {
    const settings = readOptions(options);
    const requester = new Requester(settings);
    this.accounts = new Accounts(requester);
    this.holdings = new Holdings(requester);
    this.identity = new Identity(requester);
    this.institutions = new Institutions(requester);
    this.investmentTransactions = new InvestmentTransactions(requester);
    this.liabilities = new Liabilities(requester);
    this.linkSessions = new LinkSessions(requester);
    this.links = new Links(requester);
    this.recurring = new Recurring(requester);
    this.sandbox = new Sandbox(requester);
    this.tokens = new Tokens(requester);
    this.transactions = new Transactions(requester);
    this.users = new Users(requester);
    this.webhooks = new Webhooks(requester, settings);
  }
}
