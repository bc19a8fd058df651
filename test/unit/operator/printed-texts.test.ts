import { Output } from '../../../clients/terminal/src/output.js';
import { sheet, table } from '../../../clients/terminal/src/table.js';
import { HOSTILE_TEXTS } from '../../support/fixtures/hostile-texts.js';

const CONTROLS = Array.from({ length: 0xa0 }, (_, point) => String.fromCodePoint(point)).filter(
  (each) => /\p{Cc}/u.test(each),
);
const TEXTS = [...Object.values(HOSTILE_TEXTS), ...CONTROLS.map((each) => `Al${each}[2J ice`)];
/** Would move the cursor of a terminal, or turn its text around. */
const MOVES = /[^\P{Cc}\t\n\r]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/u;

const value = { name: TEXTS.join(''), of: TEXTS };

/** A standard output that keeps what is written. */
function standardOutput(isTTY: boolean) {
  const written: Buffer[] = [];
  const write = (chunk: Uint8Array | string, done?: () => void) => {
    written.push(Buffer.from(chunk));
    done?.();
    return true;
  };
  const stream = { isTTY, write } as unknown as NodeJS.WriteStream;
  return { stream, bytes: () => Buffer.concat(written) };
}

function openOutput(isTTY: boolean, form = { isJson: false }) {
  const { stream, bytes } = standardOutput(isTTY);
  return { output: new Output({ stdout: stream, stderr: stream }, {}, form), bytes };
}

/** Cut in the middle of characters. */
async function* inPieces(text: string) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 3)
    yield await Promise.resolve(new Uint8Array(bytes.subarray(at, at + 3)));
}

describe('A command line prints texts of others without characters that move a cursor', () => {
  it.each([
    ['table', () => table(TEXTS.map((text) => ({ text, of: [text] })))],
    ['sheet', () => sheet({ texts: TEXTS, text: TEXTS.join('') })],
  ])('in a %s', (_name, render) => {
    expect(render()).not.toMatch(MOVES);
    expect(render()).not.toMatch(/[\t\r]/);
  });

  it('in sentences', () => {
    const { output, bytes } = openOutput(true);
    output.value(value, () => `${value.name} is revoked.`);
    expect(bytes().toString()).not.toMatch(MOVES);
  });

  it.each([
    ['of a value on one line', { isJson: true }],
    ['of a value with indentation', { isJson: true, indent: 2 }],
  ])('in JSON %s, which keeps its value', (_name, form) => {
    const { output, bytes } = openOutput(false, form);
    output.value(value, () => '');
    expect(bytes().toString()).not.toMatch(MOVES);
    expect(JSON.parse(bytes().toString())).toEqual(value);
  });

  it('in a line of many, as JSON', () => {
    const { output, bytes } = openOutput(false, { isJson: true });
    output.row(value, () => '');
    expect(bytes().toString()).not.toMatch(MOVES);
    expect(JSON.parse(bytes().toString())).toEqual(value);
  });

  it('in an export at a terminal, and byte for byte in a file', async () => {
    const json = JSON.stringify(value);
    const csv = `${TEXTS.join(',')}\r\n`;
    const shown = async (text: string, { isTTY, isJson }: { isTTY: boolean; isJson: boolean }) => {
      const { output, bytes } = openOutput(isTTY);
      await output.file(inPieces(text), { isJson });
      return bytes().toString();
    };
    const atTerminal = await shown(json, { isTTY: true, isJson: true });
    expect(atTerminal).not.toMatch(MOVES);
    expect(JSON.parse(atTerminal)).toEqual(value);
    expect(await shown(csv, { isTTY: true, isJson: false })).not.toMatch(MOVES);
    expect(await shown(json, { isTTY: false, isJson: true })).toBe(json);
    expect(await shown(csv, { isTTY: false, isJson: false })).toBe(csv);
  });
});
