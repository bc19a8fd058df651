import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestOf } from '../../../providers/manifests.js';
import { judgeRecording } from '../../../providers/recordings/judge-recording.js';
import type { Recording } from '../../../providers/recordings/recording.js';
import type { KeptRecording } from './proof-page.js';

const folderOf = (adapter: string): string =>
  fileURLToPath(new URL(`../../../providers/${adapter}/recordings/`, import.meta.url));

/**
 * The recordings of an adapter by their file names.
 * @throws Error for a file that proves nothing or reveals too much
 */
export function readRecordings(
  adapter: string,
  folder = folderOf(adapter),
): Map<string, Recording> {
  const profile = manifestOf(adapter)?.recording;
  if (profile === undefined) throw new Error(`${adapter} has no recording profile`);
  const today = new Date().toISOString().slice(0, 10);
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return new Map(
    files.map((file) => {
      const judged = judgeRecording(readFileSync(join(folder, file), 'utf8'), profile, today);
      if ('problems' in judged)
        throw new Error(`${join(folder, file)} is refused:\n${judged.problems.join('\n')}`);
      if (judged.recording.adapter !== adapter)
        throw new Error(`${join(folder, file)} is one of ${judged.recording.adapter}`);
      return [file, judged.recording];
    }),
  );
}

/** The same for `PROOF.md`. */
export const keptRecordings = (adapter: string): KeptRecording[] =>
  [...readRecordings(adapter)].map(([file, { recordedOn: day, origin }]) => ({
    file,
    day,
    origin,
  }));
