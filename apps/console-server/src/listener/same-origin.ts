import type { NextFunction, Request, Response } from 'express';
import { ConsoleFailure } from '../access/console-failure.js';

/** Paths of the server have no case. */
const API = /^\/api(\/|$)/i;

/**
 * Refuses calls of other sites and of names that resolve to this machine: a call names the console's own host, and a
 * change comes from its own page. The page itself opens from anywhere: the provider that signs in returns to it from
 * another site, and without its own calls it holds nothing.
 */
export function sameOrigin(baseUrl: string) {
  const { host, origin } = new URL(baseUrl);
  return ({ method, headers, path }: Request, _response: Response, next: NextFunction): void => {
    if (headers.host !== host)
      throw new ConsoleFailure(421, 'console.wrong_host', `The console is at ${origin}.`);
    const site = headers['sec-fetch-site'];
    const isOwn = site === 'same-origin' && headers.origin === origin;
    const isOpened =
      method === 'GET' && !API.test(path) && headers['sec-fetch-mode'] === 'navigate';
    if (isOpened) return next();
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead ? site !== undefined && site !== 'same-origin' && site !== 'none' : !isOwn)
      throw new ConsoleFailure(
        403,
        'console.other_origin',
        'This call is for the console’s own page.',
      );
    next();
  };
}
