import type { ArgumentsHost } from '@nestjs/common';
import type { Request } from 'express';
import { beginRequest } from '../../../apps/api/src/http/request-state.js';
import { UnavailableLog } from '../../../apps/api/src/http/unavailable-log.js';
import { SimplefinErrorFilter } from '../../../apps/api/src/simplefin/simplefin-error.filter.js';
import type { Logger } from '../../../apps/platform/src/logging/logger.js';

it('A SimpleFIN response that fails after its first byte is cut off, and its cause is logged', () => {
  const logged: unknown[] = [];
  const logger = {
    error: (fields: unknown, message: string) => logged.push([message, fields]),
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
  new SimplefinErrorFilter(logger, new UnavailableLog(logger)).catch(thrown, host);
  expect(destroy).toHaveBeenCalledTimes(1);
  expect(logged).toEqual([['simplefin.failed', expect.objectContaining({ err: thrown })]]);
});
