import { pause } from './pause.js';

const TRY_AGAIN_MS = 1_000;

/** Loads a file of the app, however long the network takes. */
export async function keepTrying<File>(load: () => Promise<File>): Promise<File> {
  for (;;) {
    try {
      return await load();
    } catch {
      await pause(TRY_AGAIN_MS);
    }
  }
}
