import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { digestOfLogo, LOGOS_PATH } from '../../../../domain/institutions/logo-address.js';
import type { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { keptFile, sendKept } from '../http/kept-file.js';
import { stateOf } from '../http/request-state.js';

const HEADERS = new Map([
  // The address changes with the picture.
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  // Nothing may run if a browser opens the picture as a page.
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  // Connect and pages of apps, which may be on other hosts, show it.
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
]);

/** Serves the copies of logos, publicly. Source: connect 12. */
export function logos(institutions: Pick<InstitutionRepository, 'logo'>) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (!request.path.startsWith(LOGOS_PATH)) return next();
    stateOf(request).route = `${LOGOS_PATH.slice(1)}:name`;
    try {
      const digest = digestOfLogo(request.path.slice(LOGOS_PATH.length));
      if (digest === null) return next();
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        throw new ApiError('api_error.request.method_not_allowed');
      }
      const picture = await institutions.logo(digest);
      if (picture === null) return next();
      response.setHeaders(HEADERS);
      await sendKept(request, response, keptFile(picture, 'image/png'));
    } catch (error) {
      next(error);
    }
  };
}
