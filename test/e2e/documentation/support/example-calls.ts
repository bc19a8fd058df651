import documented from '../../../../docs/openapi.json' with { type: 'json' };
import { ApiClient } from '../../../support/services/api-client.js';

export interface Exchange {
  request?: unknown;
  response?: unknown;
}

export interface ExampleCall {
  /** Parameters of the path. */
  path?: Readonly<Record<string, string>>;
  query?: string;
  json?: unknown;
  form?: Record<string, string>;
  token?: string | null;
}

interface Described {
  operationId: string;
}

const OPERATIONS = new Map(
  Object.entries(documented.paths as Record<string, Record<string, Described>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) =>
          [operationId, { method: method.toUpperCase(), path }] as const,
      ),
  ),
);

/** Calls operations by their ids, and keeps the bodies of the first call of each. */
export class ExampleCalls {
  readonly made = new Map<string, Exchange>();
  /** That of the hosted page, as a browser keeps it. */
  private cookie: string | null = null;

  constructor(
    private readonly baseUrl: string,
    public token: string | null = null,
  ) {}

  async call<T>(
    id: string,
    { path = {}, query = '', json, form, token = this.token }: ExampleCall = {},
  ): Promise<T> {
    const operation = OPERATIONS.get(id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    );
    const { status, body, text, headers } = await new ApiClient(this.baseUrl, token).send(
      operation.method,
      query === '' ? address : `${address}?${query}`,
      {
        headers: {
          'service-version': documented.info.version,
          ...(this.cookie === null ? {} : { cookie: this.cookie }),
        },
        ...(json === undefined ? {} : { json }),
        ...(form === undefined ? {} : { form }),
      },
    );
    this.cookie = headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie;
    if (status >= 300) throw new Error(`${id} returned ${status}: ${text}`);
    const request = json ?? form;
    if (!this.made.has(id) && (request !== undefined || body !== undefined))
      this.made.set(id, {
        ...(request === undefined ? {} : { request }),
        ...(body === undefined ? {} : { response: body }),
      });
    return body as T;
  }
}
