import fc from 'fast-check';
import { bodies } from './bodies.js';
import type { SchemaContext } from './from-schema.js';
import { headersOf } from './header-values.js';
import { EXAMPLES, knownTo, knownValues } from './known-values.js';
import type { Document, Operation } from './operations.js';
import { pathValuesOf } from './path-values.js';
import { queries } from './queries-and-forms.js';
import type { Caller, Stage } from './stages.js';
import { encodeSegment } from './wire-text.js';

/** Callers without valid credentials. */
function strangers({ callers: [first], pair }: Stage): fc.Arbitrary<Caller> {
  const token = first?.authorization?.split(' ')[1] ?? 'none';
  const basic = Buffer.from(`${pair.client_id}:${pair.client_secret}`).toString('base64');
  const spelled = fc.constantFrom(
    null,
    '',
    'Bearer',
    'Bearer ',
    'Bearer unknown',
    `Basic ${basic}`,
    `Basic ${token}`,
    'Basic !',
    `Token ${token}`,
    token,
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${'a'.repeat(4_000)}`,
    'Bearer \u00e9\u00ff',
    'Bearer %00',
  );
  return spelled.map((authorization) => ({ name: 'a stranger', tenant: null, authorization }));
}

/** A request as it is sent. */
export interface FuzzRequest {
  operation: string;
  method: string;
  caller: Caller;
  /** Decoded. */
  pathValues: Record<string, string>;
  path: string;
  /** Encoded, without its question mark. */
  query: string;
  headers: Record<string, string>;
  body: string | null;
}

type Sent = Pick<FuzzRequest, 'query' | 'headers' | 'body'>;

/** Requests of an operation: half of them valid, half with a mistake. */
export function requestsOf(
  operation: Operation,
  document: Document,
  stage: Stage,
): fc.Arbitrary<FuzzRequest> {
  const context = contextOf(operation, document, stage);
  const tidy = partsOf(operation, context, false);
  const odd = partsOf(operation, context, true);
  const caller = fc.constantFrom(...stage.callers);
  const anyCaller = fc.oneof(
    { weight: 3, arbitrary: caller },
    { weight: 2, arbitrary: fc.constantFrom(...stage.others) },
    { weight: 1, arbitrary: strangers(stage) },
  );
  const requests = fc.oneof(
    { withCrossShrink: true },
    {
      weight: 5,
      arbitrary: fc.record({
        caller,
        pathValues: pathValuesOf(operation, stage, false),
        sent: tidy,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        caller: anyCaller,
        pathValues: pathValuesOf(operation, stage, false),
        sent: tidy,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        caller,
        pathValues: pathValuesOf(operation, stage, false),
        sent: odd,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        caller: anyCaller,
        pathValues: pathValuesOf(operation, stage, true),
        sent: odd,
      }),
    },
  );
  return requests.map((parts) => requestTo(operation, parts));
}

/** Only valid requests. */
export function validRequestsOf(
  operation: Operation,
  document: Document,
  stage: Stage,
): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      caller: fc.constantFrom(...stage.callers),
      pathValues: pathValuesOf(operation, stage, false),
      sent: partsOf(operation, contextOf(operation, document, stage), false),
    })
    .map((parts) => requestTo(operation, parts));
}

function contextOf(operation: Operation, document: Document, stage: Stage): SchemaContext {
  return {
    components: document.components.schemas,
    known: { ...knownValues(stage), ...knownTo(operation) },
    examples: EXAMPLES,
  };
}

interface Parts {
  caller: Caller;
  pathValues: Record<string, string>;
  sent: Sent;
}

function requestTo(operation: Operation, { caller, pathValues, sent }: Parts): FuzzRequest {
  const request = {
    operation: operation.name,
    method: operation.method,
    caller,
    pathValues,
    path: operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
      encodeSegment(pathValues[name] ?? ''),
    ),
    ...sent,
    [fc.toStringMethod]: describeRequest,
  };
  return request;
}

/** Shown in a failure. */
function describeRequest(this: FuzzRequest): string {
  const { method, path, query, caller, headers, body } = this;
  const sent = JSON.stringify({ ...headers, authorization: caller.authorization });
  const shown = JSON.stringify(body)?.slice(0, 2_000);
  return `${method} ${path}?${query} as ${caller.name} ${sent} ${shown}`;
}

function partsOf(operation: Operation, context: SchemaContext, odd: boolean): fc.Arbitrary<Sent> {
  const query = queries(
    operation.parameters.filter((parameter) => parameter.in === 'query'),
    context,
    odd,
  );
  const headers = headersOf(operation, odd);
  const body =
    operation.body === null
      ? fc.constant(null)
      : bodies(operation.name, operation.body, context, odd);
  const type: Record<string, string> =
    operation.body === null ? {} : { 'content-type': operation.body.mediaType };
  return fc
    .record({ query, headers, body })
    .map(({ query: sentQuery, headers: sentHeaders, body: sentBody }) => ({
      query: sentQuery,
      headers: { ...type, ...sentHeaders },
      body: sentBody,
    }));
}
