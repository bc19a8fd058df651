import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operate } from '../../../support/actors/operator.js';
import { shareService, type SharedService } from '../../../support/fixtures/shared-service.js';
import type { StandaloneApp } from '../../../support/services/standalone.js';
import { ClientDriver, type DriverProgram } from './client-driver.js';
import { openHttpGate, type HttpGate } from '../../../support/services/http-gate.js';
import { onConnection } from '../../../support/services/postgres.mjs';

/** A running service, a gate before it, and a driver whose clients call it through the gate. */
export interface Stage {
  service: SharedService;
  gate: HttpGate;
  driver: ClientDriver;
  /** The app of the clients. */
  app: StandaloneApp;
  /** Options of a client of that app, in Sandbox, that calls through the gate. */
  options: Readonly<Record<string, unknown>>;
  /** Makes a client with these options besides. @returns its name */
  client(options?: object): Promise<string>;
  /** Another driver, which a test ends or kills. */
  another(variables?: Record<string, string>): ClientDriver;
  /** A link of the app with 60 transactions. @returns its id */
  link(userId?: string): Promise<string>;
  /** Changes rows of the service's database. */
  change(sql: string, values: unknown[]): Promise<number>;
  /** A path that ends with the stage. */
  file(name: string): string;
  close(): Promise<void>;
}

export async function openStage(program: DriverProgram): Promise<Stage> {
  const service = await shareService();
  const gate = await openHttpGate(() => service.info.base_url);
  const folder = mkdtempSync(join(tmpdir(), 'tributary-clients-'));
  const driver = new ClientDriver(program);
  const app = service.app;
  const options = { base_url: gate.url, ...app.sandbox };
  let clients = 0;
  const make = async (more: object = {}): Promise<string> => {
    const name = `client ${(clients += 1)}`;
    await driver.result('new', { ...options, ...more }, name);
    return name;
  };
  const linking = await make();
  return {
    service,
    gate,
    driver,
    app,
    options,
    client: make,
    another: (variables) => new ClientDriver(program, variables),
    link: async (userId = 'user-1') => {
      const body = { customer_user: { id: userId } };
      const { link_id: linkId } = await driver.result<{ link_id: string }>(
        'sandbox.createLink',
        { body },
        linking,
      );
      gate.reset();
      return linkId;
    },
    change: (sql, values) =>
      onConnection(
        service.info.database_url,
        async (database) => (await database.query(sql, values)).rowCount ?? 0,
      ),
    file: (name) => join(folder, name),
    close: async () => {
      const complaints = await driver.end();
      await gate.close();
      rmSync(folder, { recursive: true, force: true });
      expect(complaints).toBe('');
    },
  };
}

/** Another app of the same service. */
export const anotherApp = ({ service }: Stage): Promise<StandaloneApp> =>
  operate<StandaloneApp>(service.dataDir, 'apps', 'create', '--name', 'Another app');
