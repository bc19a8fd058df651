import { startApiInProcess, type ApiInProcess } from './api-in-process.js';

/** Of the file whose tests run; set before its first test. */
export let service: ApiInProcess;
/** Of `pocket-ledger` in Sandbox. */
export let token: string;

/** Starts the API before the first test of a file, and stops it after the last. */
export function apiOfFile(settings: Record<string, string> = {}): void {
  beforeAll(async () => {
    service = await startApiInProcess(settings);
    token = await service.token('pocket-ledger');
  });
  afterAll(() => service?.close());
}
