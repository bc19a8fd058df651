import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

export const openApiDocs = routeDocs('Operator', {
  document: {
    id: 'service.getDocument',
    summary: 'Get this document',
    response: json(z.looseObject({ openapi: z.string() }), { cacheable: true }),
  },
  page: {
    id: 'service.showReference',
    summary: 'Show this document as a page',
    response: { kind: 'media', type: 'text/html', cacheable: true },
  },
});
