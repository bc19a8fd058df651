import { keepTrying } from '../session/keep-trying.js';

/** Loads once, however often it is called. */
export function once<File>(load: () => Promise<File>): () => Promise<File> {
  let loading: Promise<File> | null = null;
  return () => (loading ??= keepTrying(load));
}
