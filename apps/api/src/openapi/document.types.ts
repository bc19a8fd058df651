import type { ApiErrorCode } from '../../../../domain/errors/api-errors.js';
import type { JsonSchema } from './json-schema.js';

export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, JsonSchema>;
    examples: Record<string, { value: unknown }>;
    headers: Record<string, HeaderObject>;
    securitySchemes: Record<string, unknown>;
  };
}

export interface OperationObject {
  tags?: string[];
  summary: string;
  description?: string;
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: ParameterObject[];
  requestBody?: { required: boolean; content: Record<string, MediaObject> };
  responses: Record<string, ResponseObject>;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  explode?: boolean;
}

export interface MediaObject {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value?: unknown; $ref?: string }>;
}

export interface HeaderObject {
  description: string;
  required?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, MediaObject>;
  /** The codes this status may come with. */
  'x-error-codes'?: ApiErrorCode[];
}
