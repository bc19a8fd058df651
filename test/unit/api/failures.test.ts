import type { ArgumentsHost } from '@nestjs/common';
import type { Request } from 'express';
import { Failures } from '../../../apps/api/src/http/failures.js';
import { nativeErrors } from '../../../apps/api/src/http/native-errors.js';
import type { ErrorForm } from '../../../apps/api/src/http/protocol.js';
import { beginRequest } from '../../../apps/api/src/http/request-state.js';
import type { RouteTable } from '../../../apps/api/src/http/route-table.js';
import { UnavailableLog } from '../../../apps/api/src/http/unavailable-log.js';
import { plaidErrors } from '../../../apps/api/src/plaid/errors/plaid-errors.js';
import { SIMPLEFIN_ERRORS } from '../../../apps/api/src/simplefin/simplefin-errors.js';
import type { Logger } from '../../../apps/platform/src/logging/logger.js';

const routes = { methodsOf: () => [] } as unknown as RouteTable;
const parts = { routes, baseUrl: 'https://api.example' };

it.each<[string, ErrorForm, string]>([
  ['native', nativeErrors('native', parts), 'http.failed'],
  ['Connect', nativeErrors('connect', parts), 'http.failed'],
  ['Plaid', plaidErrors(parts.baseUrl), 'plaid.failed'],
  ['SimpleFIN', SIMPLEFIN_ERRORS, 'simplefin.failed'],
])(
  'A %s response that fails after its first byte is cut off, and its cause is logged',
  (_protocol, form, message) => {
    const logged: unknown[] = [];
    const logger = {
      error: (fields: unknown, text: string) => logged.push([text, fields]),
    } as unknown as Logger;
    const destroy = jest.fn();
    const request = {} as Request;
    beginRequest(request, { requestId: '4a1f', traceId: '0af7' });
    const thrown = new Error('a row cannot be read');
    const host = {
      switchToHttp: () => ({
        getRequest: () => request,
        getResponse: () => ({ headersSent: true, destroy }),
      }),
    } as unknown as ArgumentsHost;
    new Failures(logger, new UnavailableLog(logger)).respond(thrown, host, () => form);
    expect(destroy).toHaveBeenCalledTimes(1);
    expect(logged).toEqual([[message, expect.objectContaining({ err: thrown })]]);
  },
);
