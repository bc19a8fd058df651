import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

export const openApiDocs = routeDocs('Operator', {
  document: {
    id: 'service.getDocument',
    summary: 'Get this document',
    description:
      'An OpenAPI 3.1 document with the addresses and header names of this service. It has an `ETag`.',
    response: json(z.looseObject({ openapi: z.string().describe('The version of OpenAPI.') }), {
      example: { openapi: '3.1.0', info: { title: 'Tributary' }, paths: {} },
      cacheable: true,
    }),
  },
  start: {
    id: 'service.showStart',
    summary: 'Show that the service runs',
    description: 'A page for people, with the version of the service and links to its reference.',
    response: { kind: 'media', type: 'text/html', example: '<!doctype html>…', cacheable: true },
  },
  page: {
    id: 'service.showReference',
    summary: 'Show this document as a page',
    description:
      'The reference of the API for people: every call, webhook, error and model, without scripts.',
    response: { kind: 'media', type: 'text/html', example: '<!doctype html>…', cacheable: true },
  },
});
