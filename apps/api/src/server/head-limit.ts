import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import type { HeaderNames } from '../http/header-names.js';
import { headBytes, MAX_HEAD_BYTES } from '../http/input/head-size.js';
import { stateOf } from '../http/request-state.js';
import type { RouteTable } from '../http/route-table.js';
import { HEADERS_TOO_LARGE, plaidCallOf, refusePlaidCall } from '../plaid/plaid-entrance.js';

export interface HeadLimitParts {
  routes: RouteTable;
  headers: HeaderNames;
  baseUrl: string;
}

/** Refuses a request whose address and headers are too large, in the form of its API. Source: native-api 1. */
export function headLimit({ routes, headers, baseUrl }: HeadLimitParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (headBytes(request) <= MAX_HEAD_BYTES) return next();
    stateOf(request).route = routes.find(request.method, request.path)?.path ?? null;
    // Its body is not read.
    response.setHeader('Connection', 'close');
    if (plaidCallOf(request, routes) === null)
      return next(new ApiError('api_error.request.headers_too_large'));
    refusePlaidCall(request, response, HEADERS_TOO_LARGE, { headers, baseUrl });
  };
}
