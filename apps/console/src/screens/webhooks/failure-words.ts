import { TEXTS } from './texts.js';

/** The outcome of an attempt: `HTTP 500`, or why there was no response; empty without an attempt. */
export function failureWords(status: number | null, error: string | null): string {
  if (status !== null) return `HTTP ${status}`;
  if (error === null) return '';
  return TEXTS.errors[error] ?? error.replaceAll('_', ' ');
}
