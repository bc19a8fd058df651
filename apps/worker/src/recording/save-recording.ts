import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf } from '../../../../providers/manifests.js';
import { judgeRecording } from '../../../../providers/recordings/judge-recording.js';
import { RecordingRefused } from '../../../../providers/recordings/record-walk.js';
import type { Recording } from '../../../../providers/recordings/recording.js';

/**
 * Writes a recording that the tests will accept.
 * @returns the path of the file, which is named after its day
 * @throws RecordingRefused with all problems
 */
export function saveRecording(
  recording: Recording,
  folder = join('providers', recording.adapter, 'recordings'),
): string {
  const profile = manifestOf(recording.adapter)?.recording;
  if (profile === undefined) throw new RecordingRefused(`There is no "${recording.adapter}".`);
  const text = `${JSON.stringify(recording, null, 2)}\n`;
  const today = new Date().toISOString().slice(0, 10);
  const judged = judgeRecording(text, profile, today);
  if ('problems' in judged)
    throw new RecordingRefused(`Nothing was written:\n${judged.problems.join('\n')}`);
  mkdirSync(folder, { recursive: true });
  const file = freeName(folder, recording.recordedOn);
  writeFileSync(file, text, { flag: 'wx' });
  return file;
}

function freeName(folder: string, day: string): string {
  for (let number = 1; ; number += 1) {
    const file = join(folder, number === 1 ? `${day}.json` : `${day}-${number}.json`);
    if (!existsSync(file)) return file;
  }
}
