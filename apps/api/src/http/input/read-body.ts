import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../../../domain/errors/api-errors.js';

/** Reads a whole body, rejecting it as soon as it exceeds `limit`. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  refuseDeclaredSize(request, limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void) => {
      request.off('data', take);
      request.off('end', end);
      request.off('error', fail);
      request.off('close', gone);
      finish();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      // The rest is discarded while the response is already being sent.
      if (size > limit)
        settle(() => {
          request.resume();
          reject(new ApiError('api_error.request.too_large'));
        });
      else chunks.push(chunk);
    };
    const end = () => settle(() => resolve(Buffer.concat(chunks, size)));
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
    request.on('data', take);
    request.on('end', end);
    request.on('error', fail);
    request.on('close', gone);
  });
}

export function refuseDeclaredSize(request: IncomingMessage, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw new ApiError('api_error.request.too_large');
}
