import { readFileSync } from 'node:fs';

const DOCS = new URL('../../../../docs/', import.meta.url);
const FENCE = /^```(\w+)(?: file=(\S+))?\n([^]*?)^```$/gm;

/** A page whose reader types commands and saves files. */
export interface Tutorial {
  /** `sh` blocks in their order, except those that install and start the service. */
  commands: string[];
  /** Blocks with `file=NAME`. */
  files: { name: string; content: string }[];
  /** The first `text` block: what a command prints, for example. */
  example: string;
}

export function tutorial(page: string): Tutorial {
  const blocks = [...readFileSync(new URL(page, DOCS), 'utf8').matchAll(FENCE)].map(
    ([, language, file, content = '']) => ({ language, file, content }),
  );
  return {
    commands: blocks
      .filter(({ language, content }) => language === 'sh' && !content.startsWith('npm '))
      .map(({ content }) => content),
    files: blocks.flatMap(({ file, content }) =>
      file === undefined ? [] : [{ name: file, content }],
    ),
    example: blocks.find(({ language }) => language === 'text')?.content ?? '',
  };
}
