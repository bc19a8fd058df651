import { PermissionDeniedError, Tributary } from '@tributary/node';

/** The result belongs to a user other than the signed-in one: nothing is stored. */
export class OtherUsersLink extends Error {
  constructor() {
    super(
      'This sign-in was started by someone else. Nothing was added to your accounts or repaired.',
    );
  }
}

const PRODUCTS = ['identity', 'transactions', 'investments', 'liabilities'];
const EXAMPLE_DAYS = 14;
const DAY_MS = 86_400_000;
/** The service responds to an advance within a minute. */
const ADVANCE_WITHIN_MS = 65_000;

/** The calls of an app's back end: sessions, exchange, reads. The key pair never leaves this side. */
export class BankLinks {
  #tributary;

  constructor({ apiBaseUrl, clientId, clientSecret }) {
    this.#tributary = new Tributary({ baseUrl: apiBaseUrl, clientId, clientSecret });
  }

  /** @returns the link_session_token for the page; with `linkId` the session repairs that link */
  async createSession({ userId, redirectUri, linkId, countries }) {
    const session = await this.#tributary.linkSessions.create({
      customer_user: { id: userId },
      redirect_uri: redirectUri,
      settings: { products: PRODUCTS, countries },
      products_settings: {
        transactions: { required: true, prefetch: true, reason: 'sort your spending' },
        identity: { prefetch: true, reason: 'greet you by your name' },
        investments: { prefetch: true, reason: 'show what your investments are worth' },
        liabilities: { prefetch: true, reason: 'show when your next payments are due' },
      },
      ...(linkId === undefined ? {} : { existing_link_id: linkId }),
    });
    return session.link_session_token;
  }

  /**
   * Exchanges the token of a new link, or confirms a repair with its confirmation token.
   * @throws OtherUsersLink when the session belongs to another user; nothing has changed then
   */
  async exchange(exchangeableToken, userId) {
    const { link_id: linkId, customer_user: customerUser } = await this.#tributary.linkSessions
      .exchangeToken({
        exchangeable_token: exchangeableToken,
        expected_customer_user_id: userId,
      })
      .catch((error) => {
        throw error instanceof PermissionDeniedError ? new OtherUsersLink() : error;
      });
    // A service that does not know the parameter ignores it.
    if (customerUser.id !== userId) throw new OtherUsersLink();
    return linkId;
  }

  /** Links a sandbox bank without its user, and lets two weeks pass there. @returns the link_id */
  async linkExample(userId) {
    const { sandbox } = this.#tributary;
    const { world_id: worldId } = await sandbox.createWorld({
      start: new Date(Date.now() - EXAMPLE_DAYS * DAY_MS).toISOString(),
    });
    const { link_id: linkId } = await sandbox.createLink({
      world_id: worldId,
      customer_user: { id: userId },
      settings: { products: PRODUCTS },
    });
    await sandbox.advanceWorld(
      worldId,
      { by: `P${EXAMPLE_DAYS}D` },
      { timeout: ADVANCE_WITHIN_MS },
    );
    return linkId;
  }

  /** Makes a sandbox link need its user again, as when a bank withdraws its permission. */
  reset(linkId) {
    return this.#tributary.links.reset(linkId);
  }

  disconnect(linkId) {
    return this.#tributary.links.delete(linkId);
  }

  /** @returns a token with which the user lets a finance app read their accounts; it is shown once */
  async shareWithFinanceApp(userId) {
    const { token_id: tokenId, setup_token: setupToken } =
      await this.#tributary.users.createSimplefinToken(userId, { name: 'From Pocket Ledger' });
    return { tokenId, setupToken };
  }

  /** A link with the data for the page. What its bank does not offer, or the user did not permit, is empty. */
  async read(linkId) {
    const [link, { accounts }, transactions, portfolios, liabilities, streams] = await Promise.all([
      this.#tributary.links.get(linkId),
      this.#tributary.accounts.list(linkId),
      itemsOf(this.#tributary.transactions.list(linkId, { size: 5 })),
      this.#portfolios(linkId).catch(() => []),
      itemsOf(this.#tributary.liabilities.list(linkId)),
      itemsOf(this.#tributary.recurring.list(linkId)),
    ]);
    return { link, accounts, transactions, portfolios, liabilities, streams };
  }

  /** @returns each account with holdings, its cash, and its balances of the last 90 days */
  async #portfolios(linkId) {
    const portfolios = new Map();
    for await (const { items, body } of this.#tributary.holdings.list(linkId).pages()) {
      const securities = new Map(body.securities.map((each) => [each.security_id, each]));
      for (const holding of items) {
        const { account_id: id, security_id: security } = holding;
        const portfolio = portfolios.get(id) ?? { account_id: id, holdings: [], cash: null };
        portfolio.holdings.push({ ...holding, security: securities.get(security) });
        portfolios.set(id, portfolio);
      }
      // An account comes with the page of its last holding.
      for (const { account_id: id, cash } of body.accounts)
        if (portfolios.has(id)) portfolios.get(id).cash = cash.amount;
    }
    return Promise.all(
      [...portfolios.values()].map(async (portfolio) => {
        const { balances } = await this.#tributary.accounts.listBalances(
          linkId,
          portfolio.account_id,
        );
        return { ...portfolio, balances };
      }),
    );
  }

  /** @returns the id of this app at the service, and whether its key pair is that of the Sandbox */
  async app() {
    const { app, environment } = await this.#tributary.tokens.introspect();
    return { id: app.app_id, isSandbox: environment === 'sandbox' };
  }

  async offersBanks() {
    return (await this.#tributary.institutions.list({ limit: 1 }).page()).items.length > 0;
  }

  /** @returns the countries of the banks that the service offers */
  async countries() {
    const found = new Set();
    for await (const { country } of this.#tributary.institutions.list({ limit: 1000 }))
      found.add(country);
    return [...found].sort();
  }

  /** @returns the ids of the links of a user */
  async linksOf(userId) {
    const ids = [];
    for await (const { link_id: linkId } of this.#tributary.links.list({ user: userId }))
      ids.push(linkId);
    return ids;
  }
}

/** The items of the first page; none where the link has not the product. */
function itemsOf(list) {
  return list.page().then(
    ({ items }) => items,
    () => [],
  );
}
