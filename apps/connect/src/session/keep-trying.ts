import { pause } from './pause.js';

const TRY_AGAIN_MS = 1_000;

/** Loads a file of the app, retrying until the network responds. */
export async function keepTrying<File>(load: () => Promise<File>): Promise<File> {
  for (;;) {
    try {
      return await load();
    } catch {
      await pause(TRY_AGAIN_MS);
    }
  }
}
