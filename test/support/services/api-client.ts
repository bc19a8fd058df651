import { expectDescribed } from '../assertions/described-responses.js';

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the body; undefined when there is none. */
  body: unknown;
}

export interface ApiRequest {
  token?: string | null;
  json?: unknown;
  form?: Record<string, string>;
  /** Sent unchanged. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An error body of docs/contract/native-api.md 5.1. */
export interface ErrorBody {
  error_code: string;
  error_message: string;
  documentation_url: string | null;
  link_error_code?: string;
  validation_errors?: { location: (string | number)[]; message: string; type: string }[];
  view?: { seq: number; step: { kind: string } };
}

/** Calls the API as a third-party client does: it adds nothing that the test did not request. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly token: string | null = null,
  ) {}

  as(token: string | null): ApiClient {
    return new ApiClient(this.baseUrl, token);
  }

  get(path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    return this.send('GET', path, request);
  }

  post(path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    return this.send('POST', path, request);
  }

  delete(path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    return this.send('DELETE', path, request);
  }

  async send(
    method: string,
    path: string,
    { token = this.token, json, form, raw, headers = {}, signal }: ApiRequest = {},
  ): Promise<ApiResponse> {
    const body =
      json === undefined
        ? form === undefined
          ? raw
          : new URLSearchParams(form).toString()
        : JSON.stringify(json);
    const type: Record<string, string> =
      json === undefined
        ? form === undefined
          ? {}
          : { 'content-type': 'application/x-www-form-urlencoded' }
        : { 'content-type': 'application/json' };
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...type,
        ...headers,
      },
      signal,
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const content = isJson ? (JSON.parse(text) as unknown) : undefined;
    expectDescribed({
      method,
      path,
      status: response.status,
      contentType: response.headers.get('content-type'),
      headers: response.headers,
      body: isJson ? content : text,
      version: headers['service-version'],
    });
    return { status: response.status, headers: response.headers, text, body: content };
  }
}

/** An error without its texts. */
export function errorOf({ status, body }: ApiResponse): {
  status: number;
  code: string | undefined;
  locations: string[];
} {
  const error = body as Partial<ErrorBody> | undefined;
  return {
    status,
    code: error?.error_code,
    locations: (error?.validation_errors ?? []).map(({ location }) => location.join('.')),
  };
}
