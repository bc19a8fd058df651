import { startApiInProcess, type ApiInProcess } from './api-in-process.js';

/** Of the file whose tests run; set before its first test. */
export let service: ApiInProcess;
/** Of `pocket-ledger` in Sandbox. */
export let token: string;

/**
 * The door of the API in process (test/README.md): starts it before the first test of a file, and stops it after the last.
 *
 * @param settings as in the environment
 */
export function apiOfFile(settings: Record<string, string> = {}): void {
  beforeAll(async () => {
    service = await startApiInProcess(settings);
    token = await service.token('pocket-ledger');
  });
  afterAll(() => service?.close());
}
