import type { Request, Response } from 'express';
import type { Logger } from '../../../platform/src/logging/logger.js';

export type ProtocolName = 'native' | 'connect' | 'plaid' | 'simplefin';

/** The properties of a request that are known before its handler is. */
export interface Door {
  /** The pattern of its route, for logs; null = no route serves it. */
  route: string | null;
  /** True: its route checks a credential, and a right one is exempt from the limit of anonymous requests. */
  checksCredential: boolean;
}

/** One of the APIs that share this process. */
export interface Protocol {
  readonly name: ProtocolName;
  /** Null = the request belongs to another protocol. */
  doorOf(request: Request): Door | null;
  /** The paths of the pages that people open in a browser, each with the sites that may embed it. */
  readonly pages: Readonly<Record<string, string>>;
  readonly errors: ErrorForm;
  /** Prepares a response that ends before its handler begins. */
  begin?(request: Request, response: Response): void;
}

export interface NamedError {
  status: number;
  code: string;
}

/** How an API presents its errors. */
export interface ErrorForm<E extends NamedError = NamedError> {
  toError(thrown: unknown, request: Request): E;
  send(error: E, request: Request, response: Response): void;
  /** Logs a failure of the service itself: each form has a message of its own. */
  log(logger: Logger, failure: { err: unknown; request_id: string; error_code: string }): void;
}

/** The protocols of this process. A request belongs to the first that has a door for it. */
export class Protocols {
  readonly pages: ReadonlyMap<string, string>;

  constructor(private readonly inOrder: readonly Protocol[]) {
    this.pages = new Map(inOrder.flatMap(({ pages }) => Object.entries(pages)));
  }

  of(request: Request): { protocol: Protocol; door: Door } {
    for (const protocol of this.inOrder) {
      const door = protocol.doorOf(request);
      if (door !== null) return { protocol, door };
    }
    throw new Error('no protocol serves the other requests');
  }
}
