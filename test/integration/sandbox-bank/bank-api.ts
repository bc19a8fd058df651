import { randomUUID } from 'node:crypto';
import type { TestSandboxBank } from './support/sandbox-bank.js';

/** A row as the bank's API shows it. */
export interface BankRow {
  transaction_id: string;
  account_id: string;
  direction: 'OUT' | 'IN';
  amount: string;
  booking_date: string;
  local_datetime: string | null;
  status: 'PENDING' | 'BOOKED';
  description: string;
  statement_text: string;
  category: string | null;
}

export interface BankAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Calls the sandbox bank as a worker could. */
export function bankApi({ controlUrl, secret }: Pick<TestSandboxBank, 'controlUrl' | 'secret'>) {
  async function call(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<BankAnswer> {
    const headers = { 'sandbox-bank-secret': secret, ...init.headers };
    const response = await fetch(`${controlUrl}${path}`, { method, ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  async function connect({
    customer = 'user-1',
    world = 'default',
    key = randomUUID() as string,
  } = {}) {
    const answer = await call('POST', '/v1/institutions/sandbox-instant-bank/connections', {
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ customer_reference: customer, world }),
    });
    if (answer.status !== 201) throw new Error(`not connected: ${JSON.stringify(answer)}`);
    const { connection_id: id, access_token: token } = answer.body as {
      connection_id: string;
      access_token: string;
    };
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    const get = (part: string) => call('GET', `/v1/connections/${id}/${part}`, { headers });
    return {
      id,
      token,
      get,
      /** From now on every call states this time as the time of its world. */
      liveAt: (moment: string) => {
        headers['world-time'] = moment;
      },
      accounts: async () => (await get('accounts')).body['accounts'] as Record<string, unknown>[],
      rows: async (from: string, to: string) =>
        (await get(`transactions?from=${from}&to=${to}&page_size=500`)).body[
          'transactions'
        ] as BankRow[],
      revoke: () => call('DELETE', `/v1/connections/${id}`, { headers }),
    };
  }

  return { call, connect };
}

const DAY_MS = 86_400_000;

export function dayNumberOf(isoDate: string): number {
  return Date.parse(`${isoDate}T00:00:00Z`) / DAY_MS;
}

export function isoDateOf(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
}
