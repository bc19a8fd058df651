import { ADAPTERS } from '../../providers/adapters.js';
import { manifestOf } from '../../providers/manifests.js';
import { replayRecording } from '../../providers/recordings/replay-recording.js';
import { readRecordings } from '../support/proof/kept-recordings.js';

describe('The recordings of vendors', () => {
  for (const adapter of ADAPTERS) {
    const profile = manifestOf(adapter.name)?.recording;
    if (profile === undefined) continue;
    const recordings = [...readRecordings(adapter.name)];
    if (recordings.length === 0) {
      const title = `${adapter.name} reads a recording of its vendor's sandbox: there is no recording yet`;
      process.stderr.write(`SKIPPED: ${title}. See docs/live/recordings.md.\n`);
      it.skip(title, () => undefined);
      continue;
    }
    it.each(recordings)(
      `${adapter.name} reads %s as on the day it was recorded`,
      async (_file, recording) => {
        expect(await replayRecording(adapter, profile, recording)).toEqual(recording.outcome);
      },
    );
  }
});
