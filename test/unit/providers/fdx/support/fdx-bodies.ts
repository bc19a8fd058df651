import { stringify } from 'lossless-json';
import { readJson } from '../../../../../providers/http/read-json.js';

/** A body as the response of a bank is read: with every digit of its numbers. */
export const asSent = (body: unknown): unknown =>
  readJson(new TextEncoder().encode(stringify(body)).buffer as ArrayBuffer);
