import { PermissionDeniedError, Tributary } from '@tributary/node';

/** The result belongs to a user other than the signed-in one: nothing is stored. */
export class OtherUsersLink extends Error {
  constructor() {
    super(
      'This sign-in was started by someone else. Nothing was added to your accounts or repaired.',
    );
  }
}

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
      settings: { products: ['identity', 'transactions'], countries },
      products_settings: {
        transactions: { required: true, prefetch: true, reason: 'sort your spending' },
        identity: { prefetch: true, reason: 'greet you by your name' },
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

  /** A link with the data for the page. */
  async read(linkId) {
    const [link, { accounts }, transactions] = await Promise.all([
      this.#tributary.links.get(linkId),
      this.#tributary.accounts.list(linkId),
      this.#tributary.transactions
        .list(linkId, { size: 5 })
        .page()
        .then(({ items }) => items)
        .catch(() => []),
    ]);
    return { link, accounts, transactions };
  }

  /** @returns the id of this app at the service */
  async appId() {
    return (await this.#tributary.tokens.introspect()).app.app_id;
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
