import type { z } from 'zod';
import type { SimulatorRequest } from '../../http/request.js';
import { findInstitution, type InstitutionDefinition } from '../institutions/institutions.js';
import { BankError } from './bank-error.js';

const MAX_BODY_BYTES = 16 * 1024;
const KEY = /^[\x21-\x7e]{1,200}$/;
const WORLD_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

// Every reader throws `invalid_request` for an invalid value.

/** The institution in the URL. */
export const institutionOf = (request: SimulatorRequest): InstitutionDefinition =>
  knownInstitution(request.param('institutionId'));

/** @throws BankError for an unknown id */
export function knownInstitution(institutionId: string): InstitutionDefinition {
  const institution = findInstitution(institutionId);
  if (institution === null) throw new BankError('unknown_institution', 'Institution not found.');
  return institution;
}

export function queryValue({ query }: SimulatorRequest, name: string): string | null {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) throw new BankError('invalid_request', `${name} was given more than once.`);
  return value ?? null;
}

export function bearerTokenOf(request: SimulatorRequest): string {
  const token = /^Bearer ([\w-]{1,200})$/.exec(request.header('authorization') ?? '')?.[1];
  if (token === undefined) throw new BankError('invalid_token', 'An access token is needed.');
  return token;
}

/** Stable for one attempt: the same key again is the same request. */
export const idempotencyKeyOf = (request: SimulatorRequest): string =>
  keyIn('Idempotency-Key', request.header('idempotency-key') ?? '');

/** The key under which several calls, and their retries, are one fetch. */
export function fetchKeyOf(request: SimulatorRequest): string | null {
  const key = request.header('fetch-key');
  return key === null ? null : keyIn('Fetch-Key', key);
}

function keyIn(header: string, key: string): string {
  if (KEY.test(key)) return key;
  throw new BankError(
    'invalid_request',
    `The header ${header} must have 1..200 printable characters.`,
  );
}

/**
 * The time in the world of the caller, which keeps its clock; null = the caller uses real time.
 * Data and the lifetime of permissions follow it.
 */
export function worldTimeOf(request: SimulatorRequest): Date | null {
  const text = request.header('world-time');
  if (text === null) return null;
  const moment = new Date(text);
  if (!WORLD_TIME.test(text) || Number.isNaN(moment.getTime()))
    throw new BankError(
      'invalid_request',
      'The header World-Time must be an ISO 8601 moment in UTC.',
    );
  return moment;
}

/** The JSON body. An error names the place of a mistake and never quotes the value. */
export async function readBody<Form extends z.ZodType>(
  request: SimulatorRequest,
  form: Form,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<z.output<Form>> {
  request.requireType('application/json');
  const result = form.safeParse(await request.json(maxBytes));
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join('.') || 'the body';
  throw new BankError('invalid_request', `The request is not of the agreed form at ${place}.`);
}
