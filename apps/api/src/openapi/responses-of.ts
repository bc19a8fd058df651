import { API_ERRORS, type ApiErrorCode } from '../../../../domain/errors/api-errors.js';
import type { DocumentedResponse } from '../http/route-docs.js';
import type { RouteOptions } from '../http/route.js';
import type { ResponseObject } from './document.types.js';
import { errorsOfRoute } from './errors-of-route.js';
import type { JsonSchemas } from './json-schemas.js';
import { exampleOf } from './recorded-examples.js';
import { headersOf } from './response-headers.js';
import { componentName } from './component-name.js';
import { exampleReferences, OAUTH_EXAMPLES } from './error-examples.js';
import { apiError, connectError, oauthError } from './models/error.model.js';

/** All responses of a route, by status. */
export function responsesOf(
  route: RouteOptions,
  schemas: JsonSchemas,
): Record<string, ResponseObject> {
  const responses = {
    ...successOf(route, schemas),
    ...refusalsOf(route, schemas),
    ...othersOf(route, schemas),
  };
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, ...response }]) => [
      status,
      { description, headers: headersOf(route, Number(status)), ...response },
    ]),
  );
}

function successOf(
  { status = 200, docs }: RouteOptions,
  schemas: JsonSchemas,
): Record<string, ResponseObject> {
  const { response } = docs;
  switch (response.kind) {
    case 'json':
      return {
        [status]: {
          description: 'Success',
          content: {
            'application/json': {
              schema: schemas.named(componentName(docs, 'Result'), response.schema, 'output'),
              ...exampleOf(docs, 'response'),
            },
            ...Object.fromEntries(
              (response.alternatives ?? []).map(({ type, example }) => [
                type,
                { schema: { type: 'string' }, example },
              ]),
            ),
          },
        },
        ...(response.cacheable === true ? NOT_MODIFIED : {}),
      };
    case 'media':
      return {
        [status]: {
          description: 'Success',
          content: {
            [response.type]: { schema: { type: 'string' }, example: response.example },
          },
        },
        ...(response.cacheable === true ? NOT_MODIFIED : {}),
        ...(response.type === 'text/html' ? { 429: WAIT_PAGE } : {}),
      };
    case 'nothing':
      return { [status]: { description: 'Success' } };
    case 'browser':
      return {
        303: { description: 'Redirect to the app' },
        400: { ...WAIT_PAGE, description: 'A page that explains what to do' },
        429: WAIT_PAGE,
        503: WAIT_PAGE,
      };
  }
}

const NOT_MODIFIED = { 304: { description: 'Not modified since the ETag in If-None-Match' } };
const WAIT_PAGE: ResponseObject = {
  description: 'A page that asks the user to wait',
  content: { 'text/html': { schema: { type: 'string' } } },
};

function othersOf({ docs }: RouteOptions, schemas: JsonSchemas): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(docs.otherResponses ?? {}).map(([status, { description, schema, example }]) => [
      status,
      {
        description,
        content: {
          'application/json': {
            schema: schemas.named(componentName(docs, 'Result'), schema, 'output'),
            example,
          },
        },
      },
    ]),
  );
}

/** Statuses of refusals that are pages. */
function pageStatusesOf(response: DocumentedResponse): readonly number[] {
  if (response.kind === 'browser') return [400, 429, 503];
  return response.kind === 'media' && response.type === 'text/html' ? [429] : [];
}

function refusalsOf(route: RouteOptions, schemas: JsonSchemas): Record<string, ResponseObject> {
  const { docs } = route;
  if (docs.oauthErrors === true) return oauthRefusals(schemas);
  const schema = schemas.of(route.family === 'connect' ? connectError : apiError, 'output');
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of new Set([...errorsOfRoute(route), ...(docs.errors ?? [])])) {
    const statuses = docs.errorStatuses?.[code] ?? [API_ERRORS[code].status];
    for (const status of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .filter(([status]) => !pageStatusesOf(docs.response).includes(status))
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => API_ERRORS[code].message).join(' '),
          'x-error-codes': codes,
          content: { 'application/json': { schema, examples: exampleReferences(codes) } },
        },
      ]),
  );
}

function oauthRefusals(schemas: JsonSchemas): Record<string, ResponseObject> {
  const schema = schemas.of(oauthError, 'output');
  return Object.fromEntries(
    Object.entries(OAUTH_EXAMPLES).map(([status, example]) => [
      status,
      {
        description: 'An error as defined by RFC 6749',
        content: { 'application/json': { schema, example } },
      },
    ]),
  );
}
