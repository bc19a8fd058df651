import { checkLogLines, problemOfLine } from '../../support/assertions/check-log-lines.mjs';

const LINE = {
  level: 'info',
  time: '2026-11-25T10:00:00.000Z',
  service: 'api',
  version: '0.1.0',
  build: 'e1af41a8f8b3',
  pid: 7,
  msg: 'api.listening',
};
const withFields = (fields: object) => JSON.stringify({ ...LINE, ...fields });

describe("The tests' requirements of every log line", () => {
  it.each([
    ['the format of the service', JSON.stringify(LINE)],
    [
      'the same key in two objects',
      withFields({ one: { id: 1 }, two: [{ id: 1 }, { id: 2 }], id: 3 }),
    ],
    ['text that looks like keys', withFields({ text: '{"id":1,"id":2} \\" : {' })],
    ['a trace id', withFields({ trace_id: '0af7651916cd43dd8448eb211c80319c' })],
  ])('are met by %s', (_name, line) => {
    expect(problemOfLine(line)).toBeNull();
  });

  it.each([
    ['is not JSON', '(node:1) Warning: something'],
    ['is not JSON', '{"level":"info",'],
    ['is not an object', '7'],
    ['has the key name twice', `{"name":"api",${JSON.stringify(LINE).slice(1, -1)},"name":"task"}`],
    [
      'has the key id twice',
      withFields({ err: 0 }).replace('"err":0', '"err":{"id":1,"a":{},"id":2}'),
    ],
    ['has no known level', withFields({ level: 30 })],
    ['has no time in ISO 8601', withFields({ time: 1_764_064_800_000 })],
    ['has no service', withFields({ service: undefined })],
    ['has no build', withFields({ build: '' })],
    ['has no pid', withFields({ pid: '7' })],
    ['has no constant message', withFields({ msg: 'Mapped a route' })],
    ['has no valid trace_id', withFields({ trace_id: '0' })],
    ['reports a leak of listeners', withFields({ err: { type: 'MaxListenersExceededWarning' } })],
  ])('are not met by a line that %s', (problem, line) => {
    expect(problemOfLine(line)).toBe(problem);
    expect(() => checkLogLines(`${JSON.stringify(LINE)}\n${line}\n`, 'the API')).toThrow(
      `1 log lines of the API are wrong:\n  ${problem}: ${line}`,
    );
  });
});
