import { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { errorHeaders, toApiError } from '../http/present-error.js';
import type { ErrorForm, NamedError } from '../http/protocol.js';

/** A call without a credential that gives access: 403, whatever is wrong with it. */
export class SimplefinForbidden extends HttpException {
  constructor() {
    // Exactly this text: Actual compares it.
    super('Forbidden', 403);
  }
}

interface TextError extends NamedError {
  text: string;
  headers: Record<string, string>;
}

/** Every failure is its status and a line of text. */
export const SIMPLEFIN_ERRORS: ErrorForm<TextError> = {
  toError(thrown) {
    if (thrown instanceof HttpException)
      return { status: thrown.getStatus(), code: thrown.name, text: thrown.message, headers: {} };
    const error = toApiError(thrown, 'native', []);
    const { status, code, message: text } = error;
    return { status, code, text, headers: errorHeaders(error, []) };
  },
  send({ status, text, headers }, _request, response) {
    response.setHeaders(new Map(Object.entries(headers)));
    sendText(response, status, text);
  },
  log(logger, { err, request_id, error_code }) {
    logger.error({ err, request_id, error_code }, 'simplefin.failed');
  },
};

export function sendText(response: Response, status: number, text: string): void {
  response.status(status).type('text/plain').send(text);
}
