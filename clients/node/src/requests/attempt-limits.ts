import { ServiceConnectionError, TributaryError } from '../errors.js';
import { onAbort, orAborted } from './abortable.js';

/** Ends one request after its time, or when the caller's signal is aborted. */
export class AttemptLimits {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timeout: number;
  readonly #subject: string;
  readonly #forget: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param subject completes the sentence "No complete response from …" */
  constructor(timeout: number, caller: AbortSignal | undefined, subject: string) {
    this.#timeout = timeout;
    this.#caller = caller;
    this.#subject = subject;
    this.#forget =
      caller === undefined
        ? () => undefined
        : onAbort(caller, () => this.#controller.abort(caller.reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles as the promise does, if that is in time, also where the sender ignores the signal. */
  async within<T>(promise: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), this.#timeout);
    try {
      return await orAborted(promise, this.signal);
    } catch (error) {
      throw this.#named(error);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  /** To be called when nothing more of the request is awaited. */
  end(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }

  #named(error: unknown): unknown {
    if (error instanceof TributaryError) return error;
    if (this.#caller?.aborted) return this.#caller.reason;
    if (this.signal.aborted)
      return new ServiceConnectionError(
        `No complete response from ${this.#subject} in ${this.#timeout} ms.`,
        'timeout',
      );
    return new ServiceConnectionError(
      `No complete response from ${this.#subject}.`,
      'connection_failed',
      { cause: error },
    );
  }
}
