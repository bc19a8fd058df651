import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { ArrivingBody } from './arriving-body.js';

/**
 * Reads a whole body, rejecting it as soon as it exceeds `limit`.
 * @param hold called with the memory the body takes, before it does; an error from it ends the reading
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  refuseDeclaredSize(request, limit);
  const declared = declaredSize(request);
  if (declared === 0) return Buffer.alloc(0);
  const body = new ArrivingBody(declared ?? limit, hold);
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      request.off('data', take);
      request.off('end', end);
      request.off('error', fail);
      request.off('close', gone);
      finish();
    };
    /** The rest is discarded while the response is already being sent. */
    const refuse = (error: unknown) =>
      settle(() => {
        request.resume();
        reject(error as Error);
      });
    const take = (chunk: Buffer) => {
      try {
        if (!body.add(chunk)) refuse(new ApiError('api_error.request.too_large'));
      } catch (error) {
        refuse(error);
      }
    };
    const end = () => settle(() => resolve(body.bytes()));
    const fail = () =>
      settle(() =>
        reject(
          new ApiError('api_error.request.validation_failed', {
            issues: [{ location: ['body'], message: 'The body ended early.', type: 'incomplete' }],
          }),
        ),
      );
    const gone = () => {
      if (!request.complete) fail();
    };
    // The caller may have disconnected while its token was checked; no event follows then.
    if (request.destroyed) return fail();
    request.on('data', take);
    request.on('end', end);
    request.on('error', fail);
    request.on('close', gone);
  });
}

export function refuseDeclaredSize(request: IncomingMessage, limit: number): void {
  if ((declaredSize(request) ?? 0) > limit) throw new ApiError('api_error.request.too_large');
}

/** The bytes of the body as its headers declare them; undefined when it arrives in chunks. */
export function declaredSize({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}
