import type { AttemptLimits } from './attempt-limits.js';

/** The body as it arrives. A silence beyond the limit, or a broken connection, is an error of this package. */
export function limitedStream(
  body: ReadableStream<Uint8Array>,
  limits: AttemptLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await limits.within(reader.read());
          if (!done) return controller.enqueue(value);
          limits.end();
          controller.close();
        } catch (error) {
          limits.end();
          // Ends the connection also where the sender ignores the signal.
          reader.cancel(error).catch(() => undefined);
          controller.error(error);
        }
      },
      cancel(reason) {
        limits.end();
        return reader.cancel(reason);
      },
    },
    // Nothing is read before the caller reads, so that its pauses are no silence of the service.
    { highWaterMark: 0 },
  );
}
