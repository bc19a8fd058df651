import type { ApiInProcess } from '../../../support/services/api-in-process.js';

export interface SimplefinRow {
  id: string;
  posted: number;
  amount: string;
  description: string;
  payee: string;
  memo: string;
  transacted_at?: number;
  pending?: boolean;
  mcc?: string;
  extra?: { category?: string; amount?: string; currency?: string };
}

export interface SimplefinAccount {
  id: string;
  name: string;
  currency: string;
  balance: string;
  'available-balance'?: string;
  'balance-date': number;
  org?: Record<string, string>;
  conn_id?: string;
  extra: { account_type: string };
  transactions: SimplefinRow[];
  holdings: unknown[];
}

export interface AccountSet {
  errors?: string[];
  errlist?: { code: string; msg: string; conn_id?: string; account_id?: string }[];
  connections?: Record<string, string>[];
  accounts: SimplefinAccount[];
}

export interface CreatedToken {
  token_id: string;
  name: string;
  status: string;
  setup_token: string;
  created_at: string;
  expires_at: string | null;
  claimed_at: string | null;
  last_used_at: string | null;
}

export interface TextResponse {
  status: number;
  text: string;
  headers: Headers;
}

/** Calls the SimpleFIN server of an API as a finance app does, on whichever port it listens. */
export class FinanceApp {
  constructor(
    private readonly origin: string,
    private authorization: string | null = null,
  ) {}

  /** The address that a setup token holds, at this origin. */
  claimAddress(setupToken: string): string {
    return this.origin + new URL(Buffer.from(setupToken, 'base64').toString()).pathname;
  }

  async claim(setupToken: string): Promise<TextResponse> {
    return read(await fetch(this.claimAddress(setupToken), { method: 'POST' }));
  }

  /** Claims and keeps the credential. */
  async connect(setupToken: string): Promise<string> {
    const { status, text } = await this.claim(setupToken);
    if (status !== 200) throw new Error(`the claim returned ${status}: ${text}`);
    const { username, password } = new URL(text);
    this.use(`${username}:${password}`);
    return text;
  }

  use(credential: string): void {
    this.authorization = `Basic ${Buffer.from(credential).toString('base64')}`;
  }

  /** With the same credential, at another process. */
  at(origin: string): FinanceApp {
    return new FinanceApp(origin, this.authorization);
  }

  async send(query = ''): Promise<TextResponse> {
    return read(
      await fetch(`${this.origin}/simplefin/accounts${query}`, {
        headers: this.authorization === null ? {} : { authorization: this.authorization },
      }),
    );
  }

  async accounts(query = ''): Promise<AccountSet> {
    const { status, text } = await this.send(query);
    if (status !== 200) throw new Error(`/simplefin/accounts returned ${status}: ${text}`);
    return JSON.parse(text) as AccountSet;
  }
}

async function read(response: Response): Promise<TextResponse> {
  return { status: response.status, text: await response.text(), headers: response.headers };
}

export async function createToken(
  { api }: Pick<ApiInProcess, 'api'>,
  accessToken: string,
  userId: string,
  json?: unknown,
): Promise<CreatedToken> {
  const response = await api
    .as(accessToken)
    .post(`/users/${encodeURIComponent(userId)}/simplefin-tokens`, { json });
  if (response.status !== 200)
    throw new Error(`creating a token returned ${response.status}: ${response.text}`);
  return response.body as CreatedToken;
}

/** A finance app that reads the accounts of a user. */
export async function connectedFinanceApp(
  service: Pick<ApiInProcess, 'api'>,
  accessToken: string,
  userId: string,
): Promise<FinanceApp> {
  const app = new FinanceApp(service.api.baseUrl);
  await app.connect((await createToken(service, accessToken, userId)).setup_token);
  return app;
}

export const epoch = (day: string, time = '00:00:00'): number =>
  Date.parse(`${day}T${time}Z`) / 1_000;
