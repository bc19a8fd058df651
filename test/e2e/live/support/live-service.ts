import { eventually } from '../../../support/assertions/eventually.js';
import { StoredTruth } from '../../../support/assertions/stored-truth.js';
import { startOwnService } from '../../../support/fixtures/shared-service.js';
import {
  startLiveSimulators,
  type LiveSimulators,
} from '../../../support/services/live-simulators.js';
import type { Standalone } from '../../../support/services/standalone.js';

export let service: Standalone;
export let live: LiveSimulators;
export let truth: StoredTruth;

/** Starts one service for the file, with the simulators of the banks. */
export function startLiveService(): void {
  beforeAll(async () => {
    service = await startOwnService();
    truth = new StoredTruth(() => service.info.database_url);
    live = await startLiveSimulators(service);
    // No test counts those calls.
    await untilConfigurationsAreChecked();
  });
  afterAll(async () => {
    await live?.close();
    await service?.dispose();
  });
}

/** The service checks each new configuration once. */
export const untilConfigurationsAreChecked = () =>
  eventually(async () => {
    const unchecked = 'SELECT name FROM provider_configurations WHERE checked_at IS NULL';
    expect(await truth.rows(unchecked)).toEqual([]);
  });
