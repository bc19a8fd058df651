import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';

const WORKDIR = '/app';
/** The files that `.dockerignore` excludes from the folders it includes. */
const NOT_SENT = /(^|\/)(node_modules|dist)(\/|$)|^prisma\/generated(\/|$)/;

/** What `npm` needs to reach its registry on this machine, in a new cache as well. */
const REACHES_NPM =
  /^(home|npm_config_(cache|registry)|(https?|no)_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

/**
 * An image without its base: the folder that represents `/`, and the settings that containers start
 * with.
 */
export interface ReplayedImage {
  root: string;
  env: Record<string, string>;
  command: string[];
}

interface Instruction {
  name: string;
  rest: string;
}

/**
 * Performs the COPY and RUN lines of the Dockerfile, each stage in an empty folder below `folder`, with
 * the given folder of programs in front of PATH instead of the base image.
 */
export async function replayDockerfile(folder: string, programs: string): Promise<ReplayedImage> {
  const stages = stagesOf(await readFile('Dockerfile', 'utf8'));
  const roots = new Map<string, string>();
  for (const { name, instructions } of stages) {
    const root = join(folder, name);
    roots.set(name, root);
    await mkdir(join(root, WORKDIR), { recursive: true });
    for (const instruction of instructions) await perform(instruction, { root, roots, programs });
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error('The Dockerfile has no stage.');
  return { root: join(folder, last.name), env: environmentOf(last), command: commandOf(last) };
}

interface Place {
  root: string;
  roots: ReadonlyMap<string, string>;
  programs: string;
}

async function perform({ name, rest }: Instruction, place: Place): Promise<void> {
  if (name === 'COPY') return copy(rest, place);
  if (name !== 'RUN') return;
  const PATH = `${place.programs}:${process.env['PATH'] ?? ''}`;
  await promisify(execFile)('/bin/sh', ['-euc', rest], {
    cwd: join(place.root, WORKDIR),
    // A build does not have the variables of a test run, above all NODE_ENV.
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([key]) => REACHES_NPM.test(key))),
      PATH,
    },
    maxBuffer: 64 * 2 ** 20,
  });
}

async function copy(words: string, { root, roots }: Place): Promise<void> {
  const [, stage, paths = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(words) ?? [];
  const sources = paths.split(/\s+/);
  const target = sources.pop() ?? '';
  const from = stage === undefined ? process.cwd() : roots.get(stage);
  if (from === undefined) throw new Error(`There is no stage ${stage ?? ''}.`);
  for (const source of sources) {
    const path = resolve(from, stage === undefined ? source : `.${source}`);
    const into = join(root, WORKDIR, target);
    const isFolder = target.endsWith('/');
    await mkdir(isFolder ? into : dirname(into), { recursive: true });
    await cp(path, isFolder ? join(into, path.slice(path.lastIndexOf(sep) + 1)) : into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => stage !== undefined || !NOT_SENT.test(each.slice(from.length + 1)),
    });
  }
}

interface Stage {
  name: string;
  instructions: Instruction[];
}

function stagesOf(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, named] = / AS (\S+)$/.exec(rest) ?? [];
      stages.push({ name: named ?? 'image', instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

const restsOf = ({ instructions }: Stage, name: string): string[] =>
  instructions.filter((each) => each.name === name).map(({ rest }) => rest);

const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    restsOf(stage, 'ENV').map((rest): [string, string] => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(rest) ?? [];
      return [name, value];
    }),
  );

const commandOf = (stage: Stage): string[] =>
  JSON.parse(restsOf(stage, 'CMD').at(-1) ?? '[]') as string[];
