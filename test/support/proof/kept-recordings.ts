import { existsSync, readdirSync } from 'node:fs';
import type { KeptRecording } from './proof-page.js';

/** The recordings of an adapter, oldest first. */
export function keptRecordings(adapter: string): KeptRecording[] {
  const folder = new URL(`../../../providers/${adapter}/recordings/`, import.meta.url);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => ({ file, day: '', origin: '' }));
}
