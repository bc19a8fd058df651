import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** A tag of all inputs of a response. */
export function entityTag(parts: readonly unknown[]): string {
  return `"${createHash('sha256').update(parts.map(String).join('\n')).digest('base64url')}"`;
}

/** Returns whether an `If-None-Match` header contains the tag. */
export function holdsTag(header: string | undefined, tag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''))
    .some((part) => part === tag || part === '*');
}

/** native-api 1: the caller may cache the response but must revalidate it each time. */
export function letCache(response: Response, tag: string): void {
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('ETag', tag);
}

export function sendNotModified(response: Response, tag: string): void {
  letCache(response, tag);
  response.statusCode = 304;
  response.end();
}
