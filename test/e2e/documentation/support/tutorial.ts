import { readFileSync } from 'node:fs';

const DOCS = new URL('../../../../docs/', import.meta.url);
const FENCE = /^```(\w+)(?: (file|terminal)=(\S+))?\n([^]*?)^```$/gm;

/** A page whose reader types commands and saves files. */
export interface Tutorial {
  /** `sh` blocks in their order, except those that install and start the service. */
  commands: string[];
  /** Commands that keep running in a terminal of their own (`terminal=NAME`). */
  terminals: { name: string; command: string }[];
  /** Blocks with `file=NAME`. */
  files: { name: string; content: string }[];
  /** The first `text` block: what a command prints, for example. */
  example: string;
}

/** @param ports the ports of the page, each with the one that the test uses instead */
export function tutorial(page: string, ports: Readonly<Record<string, number>> = {}): Tutorial {
  const text = Object.entries(ports).reduce(
    (read, [port, used]) => read.replaceAll(port, String(used)),
    readFileSync(new URL(page, DOCS), 'utf8'),
  );
  const blocks = [...text.matchAll(FENCE)].map(
    ([, language, kind, name = '', content = '']) => ({ language, kind, name, content }),
  );
  return {
    commands: blocks
      .filter(
        ({ language, kind, content }) =>
          language === 'sh' && kind === undefined && !content.startsWith('npm '),
      )
      .map(({ content }) => content),
    terminals: blocks
      .filter(({ kind }) => kind === 'terminal')
      .map(({ name, content }) => ({ name, command: content })),
    files: blocks.filter(({ kind }) => kind === 'file'),
    example: blocks.find(({ language }) => language === 'text')?.content ?? '',
  };
}
