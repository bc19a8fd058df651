import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { headBytes, MAX_HEAD_BYTES } from '../http/input/head-size.js';
import type { Protocols } from '../http/protocol.js';
import { stateOf } from '../http/request-state.js';

/** Refuses a request whose address and headers are too large. Source: native-api 1. */
export function headLimit(protocols: Protocols) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (headBytes(request) <= MAX_HEAD_BYTES) return next();
    const { protocol, door } = protocols.of(request);
    stateOf(request).route = door.route;
    protocol.begin?.(request, response);
    // Its body is not read.
    response.setHeader('Connection', 'close');
    next(new ApiError('api_error.request.headers_too_large'));
  };
}
