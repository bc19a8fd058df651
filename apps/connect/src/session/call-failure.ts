import type { View } from '../../../../packages/connect-protocol/src/view.js';

/** A session call that returned an error. Source: connect 6. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';

  constructor(
    readonly errorId: string,
    readonly status: number,
    /** The id for support: the service's own id of the call, otherwise ours. */
    readonly requestId: string | null,
    /** Only with 409: the view to show instead. */
    readonly view: View | null = null,
  ) {
    super(errorId);
  }
}
