import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { parser } from 'typescript-eslint';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/tributary');

/** Each checks the files it names itself; what they import belongs to another. */
const PROJECTS = [
  'tsconfig.json',
  'apps/connect/tsconfig.json',
  'packages/connect-js/tsconfig.json',
  'packages/connect-react/tsconfig.json',
  'packages/plaid-link/tsconfig.json',
  'test/browser/tsconfig.json',
  'test/sdk/tsconfig.json',
  'test/sdk/consumer/tsconfig.json',
  'examples/connect-web/tsconfig.json',
  'examples/plaid-app/tsconfig.json',
];

/**
 * Types and lint of all sources. What costs is to learn the types, so each project is loaded once, for both, and the
 * next time only what changed is looked at.
 * @returns what is wrong with the types, and with the lint, or nothing
 */
async function checkSources() {
  mkdirSync(CACHE, { recursive: true });
  const problems = { types: [], lint: [] };
  const seen = new Set();
  for (const project of PROJECTS) {
    const { builder, files, errors } = load(project);
    problems.types.push(...errors, ...files.flatMap((file) => diagnosticsOf(builder, file)));
    builder.emit();
    const own = files.map(({ fileName }) => fileName).filter((file) => !seen.has(file));
    for (const file of own) seen.add(file);
    problems.lint.push(...(await lint(own, builder.getProgram(), project)));
  }
  problems.lint.push(...(await lintOthers(seen)));
  return { types: described(problems.types), lint: await formatted(problems.lint) };
}

function load(project) {
  const fail = (diagnostic) => {
    throw new Error(described([diagnostic]));
  };
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, project),
    undefined,
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  const builder = ts.createIncrementalProgram({
    createProgram: ts.createSemanticDiagnosticsBuilderProgram,
    rootNames: fileNames,
    options: {
      ...options,
      noEmit: true,
      incremental: true,
      tsBuildInfoFile: join(CACHE, `${project.replaceAll('/', '-')}.tsbuildinfo`),
    },
  });
  const files = fileNames
    .map((name) => builder.getSourceFile(name))
    .filter((file) => file !== undefined);
  const own = new Set(files);
  while (
    builder.getSemanticDiagnosticsOfNextAffectedFile(undefined, (file) => !own.has(file)) !==
    undefined
  );
  return {
    builder,
    files,
    errors: [
      ...errors,
      ...builder.getConfigFileParsingDiagnostics(),
      ...builder.getOptionsDiagnostics(),
      ...builder.getGlobalDiagnostics(),
    ],
  };
}

function diagnosticsOf(builder, file) {
  const syntactic = builder.getSyntacticDiagnostics(file);
  return syntactic.length > 0 ? syntactic : builder.getSemanticDiagnostics(file);
}

function lint(files, program, name) {
  // A parser of our own: as an option, the program would be part of what the cache compares.
  const knowing = {
    meta: parser.meta,
    parseForESLint: (code, options) =>
      parser.parseForESLint(code, { ...options, projectService: false, programs: [program] }),
  };
  return eslint(name, [
    { files: ['**/*.{ts,tsx,cts,mts}'], languageOptions: { parser: knowing } },
  ]).lintFiles(files);
}

/** Scripts; and sources that no project names, which fail for want of types. */
async function lintOthers(seen) {
  const all = ts.sys.readDirectory(
    ROOT,
    ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.cts', '.mts'],
    ['**/node_modules', '**/dist', 'prisma/generated', 'test-results', '**/.*/*'],
    ['**/*'],
  );
  return eslint('others').lintFiles(all.filter((file) => !seen.has(file)));
}

function eslint(name, overrideConfig = []) {
  return new ESLint({
    cwd: ROOT,
    overrideConfig,
    warnIgnored: false,
    errorOnUnmatchedPattern: false,
    cache: true,
    cacheLocation: join(CACHE, `${name.replaceAll('/', '-')}.eslintcache`),
  });
}

const described = (diagnostics) =>
  ts.formatDiagnostics(diagnostics, {
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (name) => relative(ROOT, name),
    getNewLine: () => '\n',
  });

async function formatted(results) {
  const bad = results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0);
  return bad.length === 0
    ? ''
    : (await new ESLint({ cwd: ROOT }).loadFormatter('stylish')).format(bad);
}

process.stdout.write(JSON.stringify(await checkSources()));
