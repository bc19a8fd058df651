/** A call with an unexpected response. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
}

export interface CallOptions {
  bearer?: string;
  form?: Record<string, string>;
  json?: unknown;
}

const WITHIN_MS = 40_000;

/**
 * Plain HTTP, without any library of the service. @throws CallFailure with method, path and the
 * error's code
 */
export async function call<T>(
  method: 'GET' | 'POST',
  url: string,
  { bearer, form, json }: CallOptions = {},
): Promise<T> {
  const place = `${method} ${new URL(url).pathname}`;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
  } catch (error) {
    throw new CallFailure(`${place} got no response: ${(error as Error).message}`);
  }
  const text = await response.text();
  if (!response.ok)
    throw new CallFailure(`${place} returned ${response.status}: ${reasonOf(text)}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function reasonOf(text: string): string {
  try {
    const {
      error_code: code,
      error_message: message,
      validation_errors: fields,
    } = JSON.parse(text) as {
      error_code?: string;
      error_message?: string;
      validation_errors?: unknown;
    };
    return [code, message, fields === undefined ? undefined : JSON.stringify(fields)]
      .filter((part) => part !== undefined)
      .join(', ');
  } catch {
    return text.slice(0, 200);
  }
}
