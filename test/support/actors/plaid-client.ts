import { Configuration, PlaidApi } from 'plaid';
import type { Environment } from '../../../domain/api/environment.js';
import {
  clientId,
  clientSecret,
  type ApiInProcess,
  type AppId,
} from '../services/api-in-process.js';

/** The official client, which calls only the service under test. */
export function plaidClient(
  baseUrl: string,
  headers: Record<string, string>,
  options: object = {},
): PlaidApi {
  // Without a base address the client would call its vendor.
  const { hostname } = new URL(baseUrl);
  if (hostname !== '127.0.0.1' && hostname !== 'localhost')
    throw new Error(`${hostname} is not the service under test`);
  return new PlaidApi(
    new Configuration({ basePath: baseUrl, baseOptions: { headers, timeout: 60_000, ...options } }),
  );
}

/** The official client with the keys of an app. */
export function plaidOf(
  { api }: Pick<ApiInProcess, 'api'>,
  app: AppId = 'pocket-ledger',
  environment: Environment = 'sandbox',
): PlaidApi {
  return plaidClient(api.baseUrl, {
    'PLAID-CLIENT-ID': clientId(app, environment),
    'PLAID-SECRET': clientSecret(app, environment),
  });
}

/** The error body of plaid-compat 4. */
export interface PlaidErrorBody {
  error_type: string;
  error_code: string;
  error_message: string;
  display_message: string | null;
  request_id: string;
  error_code_reason?: string | null;
}

export interface PlaidFailure {
  status: number;
  data: PlaidErrorBody;
  headers: Record<string, unknown>;
}

type Call = Promise<{ data: unknown }>;

/** Returns the failure of a call; throws when the call succeeds. */
export async function failureOf(call: Call): Promise<PlaidFailure> {
  const outcome = await call.then(
    ({ data }) => ({ data }),
    (error: Error & { response?: PlaidFailure }) => error,
  );
  if (!(outcome instanceof Error))
    throw new Error(`the call succeeded: ${JSON.stringify(outcome.data)}`);
  if (outcome.response === undefined) throw outcome;
  return outcome.response;
}

/** Status, type and code of a failure, as one row of a table. */
export async function refusalOf(call: Call): Promise<[status: number, type: string, code: string]> {
  const { status, data } = await failureOf(call);
  return [status, data.error_type, data.error_code];
}
