import type { NextFunction, Request, Response } from 'express';

/** The call that SDKs on phones make themselves, by the address of Connect. */
const CALL = '/api/session/resumable';

/**
 * An app knows the address of Connect alone, and an operator may give it a path other than `/connect`, below which the
 * session calls are. Source: connect 4.
 */
export function callsBesidePage(connectBaseUrl: string) {
  const beside = `${new URL(connectBaseUrl).pathname.replace(/\/$/, '')}${CALL}`;
  return (request: Request, _: Response, next: NextFunction): void => {
    if (request.path === beside) request.url = `/connect${CALL}`;
    next();
  };
}
