import { printTo, sheet, table } from '../../../apps/operator/src/output.js';
import { Output } from '../../../clients/cli/src/output/output.js';
import {
  sheet as sheetForDevelopers,
  table as tableForDevelopers,
} from '../../../clients/cli/src/output/table.js';
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

function developerOutput(isTTY: boolean, isJson = false) {
  const { stream, bytes } = standardOutput(isTTY);
  return { output: new Output({ stdout: stream, stderr: stream }, {}, isJson), bytes };
}

/** Cut in the middle of characters. */
async function* inPieces(text: string) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 3)
    yield await Promise.resolve(new Uint8Array(bytes.subarray(at, at + 3)));
}

describe('A command line prints texts of others without characters that move a cursor', () => {
  it.each([
    ['table of operators', () => table(TEXTS.map((text) => ({ text, of: [text] })))],
    ['sheet of operators', () => sheet({ texts: TEXTS, text: TEXTS.join('') })],
    ['table of developers', () => tableForDevelopers(TEXTS.map((text) => ({ text, of: [text] })))],
    ['sheet of developers', () => sheetForDevelopers({ texts: TEXTS, text: TEXTS.join('') })],
  ])('in a %s', (_name, render) => {
    expect(render()).not.toMatch(MOVES);
    expect(render()).not.toMatch(/[\t\r]/);
  });

  it('in sentences of operator commands', () => {
    let printed = '';
    printTo((text) => (printed += text))(value, {}, () => `${value.name} is revoked.`);
    expect(printed).not.toMatch(MOVES);
  });

  it('in JSON, which keeps its value', async () => {
    let printed = '';
    printTo((text) => (printed += text))(value, { json: true }, () => '');
    const { output, bytes } = developerOutput(false, true);
    output.value(value, () => '');
    for (const json of [printed, bytes().toString()]) {
      expect(json).not.toMatch(MOVES);
      expect(JSON.parse(json)).toEqual(value);
    }
  });

  it('in an export at a terminal, and byte for byte in a file', async () => {
    const json = JSON.stringify(value);
    const csv = `${TEXTS.join(',')}\r\n`;
    const shown = async (text: string, { isTTY, isJson }: { isTTY: boolean; isJson: boolean }) => {
      const { output, bytes } = developerOutput(isTTY);
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
