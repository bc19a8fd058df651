import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Response } from 'express';
import { inTurns, mapInTurns } from '../../../apps/api/src/http/in-turns.js';
import { beginRequest } from '../../../apps/api/src/http/request-state.js';
import { streamText } from '../../../apps/api/src/http/stream-json.js';
import { StreamTurns } from '../../../apps/api/src/http/stream-turns.js';

const PIECES = 300;
const MS_OF_A_PIECE = 10;

/** A clock that `work` moves, and the pieces that were made between two turns of the event loop. */
function workshop() {
  let [time, made] = [0, 0];
  const perTurn = [0];
  let isOver = false;
  const count = () => {
    perTurn.push(made);
    made = 0;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return {
    now: () => time,
    work: () => {
      time += MS_OF_A_PIECE;
      made += 1;
    },
    end: () => {
      isOver = true;
      perTurn.push(made);
      return Math.max(...perTurn);
    },
  };
}

async function* pieces(work: () => void): AsyncGenerator<string> {
  for (let index = 0; index < PIECES; index += 1) {
    work();
    yield await Promise.resolve(`${index}\n`);
  }
}

describe('A long response', () => {
  it('lets other calls run after less than 50 ms of generated pieces, and loses none', async () => {
    const { now, work, end } = workshop();
    let text = '';
    for await (const piece of inTurns(pieces(work), now)) text += piece;
    expect(end() * MS_OF_A_PIECE).toBeLessThan(50);
    expect(text.split('\n')).toHaveLength(PIECES + 1);
  });

  it('lets other calls run after less than 50 ms of presented rows, and keeps their order', async () => {
    const { now, work, end } = workshop();
    const rows = Array.from({ length: PIECES }, (_, index) => index);
    const presented = await mapInTurns(
      rows,
      (row) => {
        work();
        return row * 2;
      },
      { now },
    );
    expect(end() * MS_OF_A_PIECE).toBeLessThan(50);
    expect(presented).toEqual(rows.map((row) => row * 2));
  });

  it('lets other calls run after some large entries, before a slice of time is spent', async () => {
    const { now, work, end } = workshop();
    await mapInTurns(Array.from({ length: 20 }), () => work(), { atOnce: 1, now });
    expect(end()).toBe(1);
  });

  it('is sent in turns with other calls, however fast its reader is', async () => {
    const { work, end } = workshop();
    const request = new IncomingMessage(new Socket());
    beginRequest(request, { requestId: 'req', traceId: 'trace' }).owner = 'sandbox/app';
    const response = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), {
      req: request,
      setHeader: () => undefined,
    }) as unknown as Response;
    const busy = () => {
      work();
      const until = performance.now() + 1;
      while (performance.now() < until);
    };
    await streamText(response, pieces(busy), {
      turns: new StreamTurns(),
      kind: 'export',
      headers: {},
    });
    expect(end()).toBeLessThan(PIECES / 3);
  });
});
