/** A result together with the response that brought it. */
export interface ApiResponse<T> {
  /** The result of the call by itself. */
  data: T;
  status: number;
  headers: Headers;
  /** Include it in a question to the operator, whose log has it. */
  requestId: string | undefined;
  /** True if the service repeated its response to an earlier call with the same idempotency key. */
  isReplayed: boolean;
}

/** The result of a call, as a promise. */
export class ApiPromise<T> extends Promise<T> {
  /** Promises that follow by `then` are ordinary ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #response: Promise<ApiResponse<T>>;

  constructor(response: Promise<ApiResponse<T>>) {
    super((resolve, reject) => {
      response.then(({ data }) => resolve(data), reject);
    });
    this.#response = response;
  }

  /** The result with the status, the headers, and the request id of the response. */
  withResponse(): Promise<ApiResponse<T>> {
    // The same failure, which then has no other reader.
    this.catch(() => undefined);
    return this.#response;
  }
}
