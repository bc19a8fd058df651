import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { APPS, type Rule, TABLE } from './import-table.js';
import { filesBelow, type Import, importsOf, ROOT } from './source-imports.js';

/** The part of adapters that operator commands see. */
const ADAPTER_MANIFESTS = /^providers\/(manifests|adapter|read-settings)\.js$/;
/** What every program imports first; it imports nothing itself. */
const SUPPORTED_NODE = 'apps/platform/src/process/supported-node';

const sources = Object.keys(TABLE)
  .filter((folder) => !Object.keys(TABLE).some((other) => folder.startsWith(`${other}/`)))
  .flatMap(filesBelow);
const imports = sources.flatMap(importsOf);

function ruleOf(file: string): Rule {
  const folder = Object.keys(TABLE)
    .filter((candidate) => file.startsWith(`${candidate}/`))
    .sort((a, b) => b.length - a.length)[0];
  const rule = folder === undefined ? undefined : TABLE[folder];
  if (rule === undefined) throw new Error(`no rule for ${file}`);
  return rule;
}

/** The problem with an import, or nothing. */
function objection({ file, from, typeOnly }: Import): string | undefined {
  const rule = ruleOf(file);
  const refused = `${file} imports ${from}${typeOnly ? ' (types)' : ''}`;
  if (from.startsWith('node:')) return rule.node || typeOnly ? undefined : refused;
  if (!from.startsWith('.')) {
    const allowed =
      rule.packages?.some((name) =>
        name.endsWith('/*')
          ? from.startsWith(name.slice(0, -1))
          : from === name || from.startsWith(`${name}/`),
      ) ?? true;
    return allowed ? undefined : refused;
  }
  const target = relative(ROOT, join(ROOT, dirname(file), from));
  const within = (folders: readonly string[]) =>
    folders.some((folder) => target.startsWith(`${folder}/`));
  if (within(rule.values) || target === `${SUPPORTED_NODE}.js`) return undefined;
  if (typeOnly && within(rule.types ?? [])) return undefined;
  if (rule.values.includes('contracts') && /^workflows\/.*\.contract\.js$/.test(target))
    return undefined;
  if (rule.values.includes('adapter manifests') && ADAPTER_MANIFESTS.test(target)) return undefined;
  return refused;
}

describe('Imports', () => {
  it('are found in the sources', () => {
    for (const folder of [
      'domain',
      'providers',
      'prisma',
      'activities',
      'workflows',
      'apps/platform',
      'apps/api',
      'apps/worker',
    ]) {
      expect(sources.filter((file) => file.startsWith(`${folder}/`)).length).toBeGreaterThan(2);
    }
    expect(imports.length).toBeGreaterThan(500);
  });

  it('follow the table of the architecture', () => {
    expect(imports.map(objection).filter((found) => found !== undefined)).toEqual([]);
  });

  it('of Nest occur only in apps', () => {
    const strays = imports.filter(
      ({ file, from }) =>
        from.startsWith('@nestjs/') && !APPS.some((app) => file.startsWith(`${app}/`)),
    );
    expect(strays).toEqual([]);
  });

  it('reach the adapters of banks only from activities and the worker', () => {
    const strays = imports.filter(({ file, from }) => {
      const target = from.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), from)) : '';
      return (
        target.startsWith('providers/') &&
        !/^(providers|activities|apps\/worker)\//.test(file) &&
        !(file.startsWith('apps/operator/') && ADAPTER_MANIFESTS.test(target))
      );
    });
    expect(strays).toEqual([]);
  });

  it('are reported when the table forbids them', () => {
    const forbidden: Import[] = [
      { file: 'domain/api/money.ts', from: 'node:crypto', typeOnly: false },
      { file: 'domain/api/money.ts', from: '../../prisma/base/context.js', typeOnly: true },
      { file: 'activities/failures.ts', from: '../prisma/context.js', typeOnly: false },
      { file: 'workflows/index.ts', from: '../activities/failures.js', typeOnly: false },
      { file: 'apps/api/src/main.ts', from: '../../../providers/registry.js', typeOnly: false },
      {
        file: 'apps/api/src/main.ts',
        from: '../../../workflows/session/session.workflow.js',
        typeOnly: false,
      },
      {
        file: 'apps/api/src/plaid/items/item.controller.ts',
        from: '../../../../../activities/failures.js',
        typeOnly: false,
      },
      {
        file: 'apps/worker/src/main.ts',
        from: '../../api/src/server/start-api.js',
        typeOnly: false,
      },
      {
        file: 'apps/operator/src/main.ts',
        from: '../../../providers/adapters.js',
        typeOnly: false,
      },
      {
        file: 'apps/api/src/main.ts',
        from: '../../../providers/manifests.js',
        typeOnly: false,
      },
      {
        file: 'simulators/sandbox-bank/main.ts',
        from: '../../../domain/api/ids.js',
        typeOnly: true,
      },
      {
        file: 'simulators/vendors/main.ts',
        from: '../../platform/src/process/run-process.js',
        typeOnly: false,
      },
      {
        file: 'providers/registry.ts',
        from: '../simulators/vendors/ledger/ledger.js',
        typeOnly: false,
      },
    ];
    expect(forbidden.map(objection)).not.toContain(undefined);
  });
});

/** `target` of a relative import, as a source file of the repository. */
function targetOf({ file, from }: Import): string | undefined {
  if (!from.startsWith('.')) return undefined;
  const path = join(dirname(file), from);
  return [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find((found) =>
    known.has(found),
  );
}

const known = new Set(sources);
const edges = imports.flatMap((found) => {
  const target = targetOf(found);
  if (target === undefined || target === found.file || target === `${SUPPORTED_NODE}.ts`) return [];
  return [[found.file, target] as const];
});

/** The first path from a node back to itself, in words, of each group of nodes that has one. */
function circlesOf(pairs: readonly (readonly [string, string])[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of pairs) next.set(from, (next.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (node: string, path: string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) {
      found.push([...path.slice(at), node].join(' → '));
      return;
    }
    if (done.has(node)) return;
    for (const target of next.get(node) ?? []) walk(target, [...path, node]);
    done.add(node);
  };
  for (const node of next.keys()) walk(node, []);
  return found;
}

describe('Files', () => {
  it('do not import each other in circles', () => {
    expect(circlesOf(edges)).toEqual([]);
  });

  it('are reported when they form a circle', () => {
    expect(
      circlesOf([
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'b'],
      ]),
    ).toEqual(['b → c → b']);
  });
});

describe('Folders', () => {
  it('beside each other import each other in one direction at most', () => {
    const siblings = edges.flatMap(([from, to]) => {
      const [left, right] = [from.split('/'), to.split('/')];
      const depth = left.findIndex((part, index) => part !== right[index]);
      if (left.length <= depth + 1 || right.length <= depth + 1) return [];
      const parent = left.slice(0, depth).join('/');
      return [[`${parent}/${left[depth]}`, `${parent}/${right[depth]}`] as const];
    });
    const all = new Set(siblings.map((pair) => pair.join(' ↔ ')));
    const mutual = [...all].filter((pair) => all.has(pair.split(' ↔ ').reverse().join(' ↔ ')));
    expect(mutual).toEqual([]);
  });
});

/** Folders of the core, which knows link and session but no API that shows them. */
const CORE = [
  ...[
    'accounts',
    'announcements',
    'errors',
    'institutions',
    'link',
    'refresh',
    'session',
    'transactions',
  ].map((subject) => `domain/${subject}`),
  ...[
    'announcements/events',
    'base/sealing',
    'links',
    'sources/institutions',
    'sources/permissions',
    'tenants/applications',
    'views/users',
    'work/linking',
    'work/refresh',
    'work/sandbox',
    'worlds',
  ].map((subject) => `prisma/${subject}`),
];
/** Files of the core that name Plaid, with the reason. The schema is in none of these folders. */
const NAMING_PLAID: Readonly<Record<string, string>> = {
  'prisma/announcements/events/formats.ts': 'the table of the formats (decision 0024)',
  'prisma/base/sealing/session-tokens.ts': 'the stored name of a data key',
  'prisma/links/timeline/timeline-statements.ts': 'the stored names of two columns',
  'prisma/worlds/erase-world.ts': 'the stored name of a data key',
};

describe('The core', () => {
  const core = execFileSync('git', ['ls-files', ...CORE], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => existsSync(join(ROOT, file)));
  /** A citation of the contract, such as `plaid-compat 8.1`, names a rule and not a dependency. */
  const namesPlaid = (file: string) =>
    /plaid/i.test(readFileSync(join(ROOT, file), 'utf8').replaceAll(/plaid-compat \d/g, ''));

  it('does not name Plaid outside the listed files', () => {
    expect(core.length).toBeGreaterThan(100);
    expect(core.filter(namesPlaid).sort()).toEqual(Object.keys(NAMING_PLAID).sort());
  });

  it('does not import the compatibility layer, except in the table of the formats', () => {
    const strays = edges.filter(
      ([from, to]) =>
        CORE.some((folder) => from.startsWith(`${folder}/`)) &&
        /^(domain|prisma|apps\/api\/src)\/plaid\//.test(to),
    );
    expect(strays.map(([from]) => from)).toEqual(['prisma/announcements/events/formats.ts']);
  });
});

describe('Names', () => {
  it('state the purpose of a file, in kebab-case', () => {
    const wrong = sources.filter((file) => {
      const name = file.split('/').at(-1) ?? '';
      return (
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+(-[a-z]+)*)*\.tsx?$/.test(name) ||
        /(^|[-.])(utils?|helpers?|common|misc)([-.]|$)/.test(name)
      );
    });
    expect(wrong).toEqual([]);
  });
});
