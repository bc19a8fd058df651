import { ConfigurationError, WebhookVerificationError } from '../errors.js';
import type { ReceivedEvent } from '../generated/received-event.js';
import type { RawBody, WebhookHeaders, WebhookVerifier } from './webhook-verifier.js';

/**
 * Stores the event. The response is sent when it returns, and must be within 15 seconds: work
 * afterwards. If it throws, the response is 500 and the event is sent again.
 */
export type EventHandler = (event: ReceivedEvent) => unknown;

export interface HandlerOptions {
  /**
   * Receives each reason for which a request was refused, or not handled. Without it, what is not
   * handled is logged by `console.error`.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** The parts of `IncomingMessage`, or of a request of Express, that the handler reads. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body that a parser of Express has set: `express.raw()` leaves the bytes. */
  body?: unknown;
}

/** The parts of `ServerResponse` that the handler writes. */
export interface NodeResponse {
  statusCode: number;
  end(): unknown;
}

export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;
export type FetchHandler = (request: Request) => Promise<Response>;

const MAX_BODY_BYTES = 256 * 1_024;

export function createNodeHandler(
  verifier: WebhookVerifier,
  onEvent: EventHandler,
  options?: HandlerOptions,
): NodeHandler {
  return async (request, response) => {
    response.statusCode = await respond(
      async () => verifier.verify(await bodyOf(request), request.headers),
      onEvent,
      options,
    );
    response.end();
  };
}

export function createFetchHandler(
  verifier: WebhookVerifier,
  onEvent: EventHandler,
  options?: HandlerOptions,
): FetchHandler {
  return async (request) => {
    const verify = async (): Promise<ReceivedEvent> =>
      verifier.verify(await collect(request.body ?? []), request.headers as WebhookHeaders);
    return new Response(null, { status: await respond(verify, onEvent, options) });
  };
}

/** @returns the status of the response. Source: docs/webhooks.md, "Verifying" and "Attempts" */
async function respond(
  verify: () => Promise<ReceivedEvent>,
  onEvent: EventHandler,
  { onError = logUnhandled }: HandlerOptions = {},
): Promise<number> {
  try {
    await onEvent(await verify());
    return 204;
  } catch (error) {
    try {
      onError(error);
    } catch (thrown) {
      console.error('onError threw an error.', thrown);
    }
    return error instanceof WebhookVerificationError ? 400 : 500;
  }
}

/** Refusals are left out: anyone can send requests that are not webhooks. */
function logUnhandled(error: unknown): void {
  if (!(error instanceof WebhookVerificationError))
    console.error('A webhook was not handled; it will be sent again.', error);
}

function bodyOf(request: NodeRequest): Promise<RawBody> | RawBody {
  const { body } = request;
  if (body === undefined) return collect(request);
  if (body instanceof Uint8Array) return body;
  throw new ConfigurationError(
    'A body parser ran before the webhook handler: mount the handler before it, or behind express.raw({ type: "*/*" }).',
  );
}

async function collect(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new WebhookVerificationError('malformed_body', 'The body is larger than any event.');
    parts.push(chunk);
  }
  const body = new Uint8Array(size);
  let position = 0;
  for (const part of parts) {
    body.set(part, position);
    position += part.length;
  }
  return body;
}
