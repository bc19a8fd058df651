import { existsSync } from 'node:fs';
import { eventually } from '../../support/assertions/eventually.js';
import { gateToBank } from '../../support/services/gated-bank.js';
import { AppBackEnd, ConnectVisit, INSTANT_BANK } from '../../support/actors/link-journey.js';
import type { View } from '../../support/actors/response-bodies.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import type { TcpGate } from '../../support/services/tcp-gate.js';

let gate: TcpGate;
let service: Standalone;
let app: AppBackEnd;

beforeAll(async () => {
  const bank = await gateToBank();
  gate = bank.gate;
  // Only the shutdown responds to a step whose bank does not respond.
  service = await Standalone.start({
    servers: 'own',
    env: { ...bank.env, CONNECT_SOFT_REPLY: '10m' },
  });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
});

afterAll(async () => {
  await service?.dispose();
  await gate?.close();
});

describe('An orderly shutdown', () => {
  let answered: {
    poll: Awaited<ReturnType<ConnectVisit['call']>>;
    step: Awaited<ReturnType<ConnectVisit['submit']>>;
  };
  let exitCode: number | null;
  let waiting: ConnectVisit;
  let linkSessionToken: string;
  let ports: number[];

  beforeAll(async () => {
    ports = [
      new URL(service.info.base_url),
      new URL(service.info.sandbox_bank_url),
      new URL(service.info.database_url),
    ].map(({ port }) => Number(port));
    const polling = await ConnectVisit.open(
      app.baseUrl,
      (await app.createSession()).link_session_token,
    );
    ({ link_session_token: linkSessionToken } = await app.createSession());
    waiting = await ConnectVisit.open(app.baseUrl, linkSessionToken);
    gate.set('hang');
    const poll = polling.call('GET', `/session?after_seq=${polling.view.seq}&wait=20`);
    const step = waiting.submit({ kind: 'select_institution', institution_id: INSTANT_BANK });
    // The poll was sent first; the login of the step has started once there is a link.
    await eventually(async () =>
      expect(
        await new StoredTruth(() => service.info.database_url).linkOfSession(
          waiting.view.session_id,
        ),
      ).not.toBeNull(),
    );
    const stopping = service.stop();
    answered = { poll: await poll, step: await step };
    exitCode = await stopping;
  });

  it('responds to a long poll with the current view', () => {
    expect(answered.poll).toMatchObject({
      status: 200,
      body: { seq: 1, step: { kind: 'select_institution' } } satisfies {
        seq: number;
        step: Partial<View['step']>;
      },
    });
  });

  it('responds to a step in progress', () => {
    expect(answered.step).toMatchObject({ status: 200, body: { step: { kind: 'wait' } } });
  });

  it('finishes by itself, exits with status 0 and leaves no process running', async () => {
    expect(exitCode).toBe(0);
    expect(existsSync(service.infoFile)).toBe(false);
    for (const port of ports) await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('loses nothing, and the session continues after the next start', async () => {
    gate.set('cut');
    gate.set('open');
    await service.start();
    app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    const back = await ConnectVisit.open(app.baseUrl, linkSessionToken);
    // The step that was in progress finishes.
    while (back.view.seq === waiting.view.seq) await back.poll(10);
    let view = await back.settle();
    if (view.step.kind === 'error') view = await back.answer({ kind: 'error', action: 'retry' });
    if (view.step.kind === 'select_institution') view = await back.select();
    expect(view.step.kind).toBe('success');
    expect((await app.exchange((await back.finish()).exchangeable_token)).status).toBe(201);
  });
});
