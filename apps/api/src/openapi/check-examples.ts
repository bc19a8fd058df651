import { z } from 'zod';
import type { RouteOptions } from '../http/route.js';
import { exampleOf } from './recorded-examples.js';

/**
 * Checks that the examples of a route match the schemas of its bodies.
 * @throws Error with the problems of an example
 */
export async function checkExamples({ docs, input }: RouteOptions): Promise<void> {
  const { id, response } = docs;
  const { example: request } = exampleOf(docs, 'request');
  if (request !== undefined)
    await check(`the request of ${id}`, input?.body ?? z.undefined(), request);
  const { example } = exampleOf(docs, 'response');
  if (response.kind === 'json' && example !== undefined)
    await check(`the response of ${id}`, response.schema, example);
}

async function check(body: string, schema: z.ZodType, example: unknown): Promise<void> {
  const result = await schema.safeParseAsync(example);
  if (!result.success)
    throw new Error(`The example of ${body} is wrong.\n${z.prettifyError(result.error)}`);
}
