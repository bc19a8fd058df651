import type { Configuration } from '../../../providers/adapter.js';
import type { ResolveAll } from '../../../providers/http/guarded-lookup.js';
import type { Provider } from '../../../providers/contract/provider.js';
import { redirectRequest } from '../fixtures/provider-calls.js';

type Environment = Configuration['environment'];
export type Call = (provider: Provider) => Promise<unknown>;

/** An adapter whose source is at an origin, and each of its kinds of requests. */
export interface CallingAdapter {
  create(where: {
    environment: Environment;
    origin: string;
    resolve?: ResolveAll;
  }): Promise<Provider>;
  /** By kind of request. `origin` is that of the source. */
  calls(origin: string): Readonly<Record<string, Call>>;
}

/** A name that a test resolves leads to addresses at which no server responds: a short wait. */
export const reachedBy = (resolve: ResolveAll | undefined) =>
  resolve === undefined ? {} : { http: { connectTimeoutMs: 200 }, resolve };
/** The login whose completion is called. */
export const { redirectUri, state } = redirectRequest();
/** The parameters with which the bank returns the user. */
export const RETURN = `${redirectUri}?state=${state}&code=code`;

/** A check throws its failure, like the other calls. */
export const checking: Call = async (provider) => {
  const report = await provider.check(new AbortController().signal);
  const failed = report.lines.find(({ ok }) => !ok);
  throw new Error(`${failed?.detail ?? 'no line failed'} ${failed?.remedy ?? ''}`);
};
