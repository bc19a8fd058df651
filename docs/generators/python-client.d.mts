/** The packages of the generator. */
export const REQUIREMENTS: string;

/** What is read of an operation of the OpenAPI document. */
export interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, unknown>;
}

/** The operations that the client offers. */
export function operationsOf(document: object): Operation[];

/**
 * The generated modules of the Python client, by their paths.
 * @param python a Python with the packages of `REQUIREMENTS`
 */
export function pythonClientFiles(python: string, document: object): Record<string, string>;
