import { NEWEST_VERSION } from '../../../../apps/api/src/http/api-versions.js';
import { Canaries } from '../../../support/fixtures/canaries.js';
import { expectDescribed } from '../../../support/assertions/described-responses.js';
import { expectForeignRefused } from './foreign-ids.js';
import type { FuzzRequest } from './requests.js';
import type { FuzzAnswer } from './send.js';
import type { Resources, Tenant } from './tenants.js';

const SECRETS: readonly (keyof Resources)[] = [
  'exchangeableTokens',
  'sessionTokens',
  'connectTokens',
];

/** Checks the rules that every response of a fuzz run must follow. */
export class Judge {
  private readonly data: readonly { tenant: Tenant; canaries: Canaries }[];
  private readonly secrets = new Canaries();

  /** @param tenants the tenants that have data */
  constructor(private readonly tenants: readonly Tenant[]) {
    this.data = tenants.map((tenant) => ({ tenant, canaries: dataOf(tenant) }));
    for (const tenant of tenants) {
      const { client_secret: secret } = tenant.app.pair;
      const named = [secret, tenant.accessToken, ...SECRETS.flatMap((kind) => tenant.has[kind])];
      named.forEach((text, index) => this.secrets.add(`secret ${index} of ${tenant.name}`, text));
    }
  }

  /** @throws a description of the problem with the response */
  expectSound(request: FuzzRequest, response: FuzzAnswer): void {
    const { status, headers, text } = response;
    const body =
      headers['content-type']?.startsWith('application/json') === true
        ? (JSON.parse(text) as unknown)
        : text;
    const code = errorCodeOf(body);
    if (status >= 500)
      throw new Error(`${request.method} ${request.path} ${request.body ?? ''}: ${status} ${text}`);
    // The document describes the newest version.
    const { 'service-version': version = NEWEST_VERSION } = headers;
    const isDescribed = status >= 400 || version === NEWEST_VERSION;
    if (isDescribed)
      expectDescribed({
        method: request.method,
        path: request.path,
        status,
        contentType: headers['content-type'] ?? null,
        headers: { get: (name) => [headers[name] ?? []].flat()[0] ?? null },
        body,
      });
    // These return the same 404 for everything that does not exist, so that names cannot be probed.
    const hidesExistence = /^\/provider-(keys|webhooks)\//.test(request.path);
    if (!hidesExistence && /^api_error\.request\.(not_found|method_not_allowed)$/.test(code))
      throw new Error(`no operation accepted it: ${status} ${code}`);
    expectHeaders(response);
    expectForeignRefused(request, this.tenants, status, code);
    this.expectNothingOfOthers(request, response);
  }

  private expectNothingOfOthers(request: FuzzRequest, { status, headers, text }: FuzzAnswer): void {
    const response = `${text}\n${JSON.stringify(headers)}`;
    const sent =
      JSON.stringify([request.pathValues, [...new URLSearchParams(request.query)]]) +
      (request.body ?? '');
    const others = this.data.filter(
      ({ tenant }) =>
        tenant !== request.caller.tenant &&
        (request.caller.tenant !== null || tenant.name === 'victim'),
    );
    const echoed = this.data.flatMap(({ canaries }) => canaries.findIn(sent));
    const seen = [
      ...others
        .flatMap(({ canaries }) => canaries.findIn(response))
        .filter((name) => !echoed.includes(name)),
      // native-api 5.1: no error body repeats a secret or token.
      ...(status >= 400 ? this.secrets.findIn(response) : []),
    ];
    if (seen.length > 0) throw new Error(`the response contains ${seen.join(', ')}`);
  }
}

function dataOf({ name, has }: Tenant): Canaries {
  const canaries = new Canaries();
  for (const [kind, values] of Object.entries(has) as [keyof Resources, string[]][]) {
    values.forEach((value, index) => canaries.add(`${kind} ${index} of ${name}`, value));
  }
  return canaries;
}

/** native-api 1, 5.2 and 8. */
function expectHeaders({ status, headers }: FuzzAnswer): void {
  const id = headers['service-request-id'];
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id))
    throw new Error(`the request id is ${String(id)}`);
  if (status === 401 && !/^(Bearer|Basic)/.test(headers['www-authenticate'] ?? ''))
    throw new Error('a 401 has no WWW-Authenticate');
  if ([429, 503].includes(status) && !/^[1-9]\d*$/.test(headers['retry-after'] ?? ''))
    throw new Error(`a ${status} has no Retry-After`);
}

function errorCodeOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error_code' in body
    ? String(body.error_code)
    : '';
}
