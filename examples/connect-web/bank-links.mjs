/** The result belongs to a user other than the signed-in one: nothing is stored. */
export class OtherUsersLink extends Error {
  constructor() {
    super(
      'This sign-in was started by someone else. Nothing was added to your accounts or repaired.',
    );
  }
}

/**
 * Requests of an app's back end to the service: tokens, sessions, exchange, reads. The key pair
 * never leaves this side.
 */
export class Tributary {
  #keys;
  #token;

  constructor({ apiBaseUrl, clientId, clientSecret }) {
    this.apiBaseUrl = apiBaseUrl;
    this.#keys = { client_id: clientId, client_secret: clientSecret };
  }

  /** @returns the link_session_token for the page; with `linkId` the session repairs that link */
  async createSession({ userId, redirectUri, linkId, countries }) {
    const session = await this.call('POST', '/link-session', {
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
    const { link_id: linkId, customer_user: customerUser } = await this.call(
      'POST',
      '/link-session/exchange-token',
      {
        exchangeable_token: exchangeableToken,
        expected_customer_user_id: userId,
      },
    ).catch((error) => {
      throw error.status === 403 ? new OtherUsersLink() : error;
    });
    // A service that does not know the parameter ignores it.
    if (customerUser.id !== userId) throw new OtherUsersLink();
    return linkId;
  }

  /** Makes a sandbox link need its user again, as when a bank withdraws its permission. */
  reset(linkId) {
    return this.call('POST', `/links/${linkId}/reset`);
  }

  disconnect(linkId) {
    return this.call('DELETE', `/links/${linkId}`);
  }

  /** @returns a token with which the user lets a finance app read their accounts; it is shown once */
  async shareWithFinanceApp(userId) {
    const { token_id: tokenId, setup_token: setupToken } = await this.call(
      'POST',
      `/users/${encodeURIComponent(userId)}/simplefin-tokens`,
      { name: 'From Pocket Ledger' },
    );
    return { tokenId, setupToken };
  }

  /** A link with the data for the page. */
  async read(linkId) {
    const [link, { accounts }, { transactions }] = await Promise.all([
      this.call('GET', `/links/${linkId}`),
      this.call('GET', `/links/${linkId}/accounts`),
      this.call('GET', `/links/${linkId}/transactions?size=5`).catch(() => ({ transactions: [] })),
    ]);
    return { link, accounts, transactions };
  }

  async call(method, path, body) {
    const answer = await this.#send(method, path, body);
    if (answer.status !== 401) return answer.body;
    // The token has expired; retry once with a new one.
    this.#token = undefined;
    return (await this.#send(method, path, body)).body;
  }

  async #send(method, path, body) {
    this.#token ??= this.#fetchToken();
    const response = await fetch(this.apiBaseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${await this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = { status: response.status, body: text === '' ? null : JSON.parse(text) };
    if (response.ok || response.status === 401) return answer;
    const error = new Error(
      `${method} ${path}: ${response.status} ${answer.body?.error_message ?? ''}`,
    );
    throw Object.assign(error, { status: response.status });
  }

  async #fetchToken() {
    const response = await fetch(`${this.apiBaseUrl}/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', ...this.#keys }),
    });
    if (!response.ok) throw new Error(`The service refuses the key pair (${response.status}).`);
    return (await response.json()).access_token;
  }
}
