import type { View } from './view.js';

/** A session call that returned an error. Source: connect 6. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';

  constructor(
    readonly errorId: string,
    readonly status: number,
    /** What support can look up: the service's own id of the call, otherwise ours. */
    readonly requestId: string | null,
    /** Only with 409: what to show instead. */
    readonly view: View | null = null,
  ) {
    super(errorId);
  }
}
