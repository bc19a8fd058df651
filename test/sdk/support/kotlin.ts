import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ANDROID_STUBS = fileURLToPath(new URL('android-stubs/', import.meta.url));
const INSTALL_WITHIN_MS = 300_000;

/** The files that `android-stubs/pom.xml` provides, with the SHA-256 of each. */
const JARS: Record<string, string> = {
  'annotations-13.0.jar': 'ace2a10dc8e2d5fd34925ecac03e4988b2c0f851650c94b8cef49ba1bd111478',
  'json-20240303.jar': '3cf6cd6892e32e2b4c1c39e0f52f5248a2f5b37646fdfbb79a66b46b618414ed',
  'kotlin-compiler-embeddable-2.2.21.jar':
    '9588fa696ac5507af764fd5660df6894185e12704ec1bc3f5cb772af4987f295',
  'kotlin-daemon-embeddable-2.2.21.jar':
    '91c0673c22e44b054ae0314d323860ebe1f3aff3f0ebc74fff82c4733dde09be',
  'kotlin-reflect-1.6.10.jar': '3277ac102ae17aad10a55abec75ff5696c8d109790396434b496e75087854203',
  'kotlin-script-runtime-2.2.21.jar':
    '2b1519b427b514d1536c1b425674b03fe914af637924028e9959c6625442df51',
  'kotlin-stdlib-2.2.21.jar': '6558a3d233da56a20934b32159f9db5f86ed5816ef098f78a2c223dc6abb79dd',
  'kotlinx-coroutines-core-jvm-1.8.0.jar':
    '9860906a1937490bf5f3b06d2f0e10ef451e65b95b269f22daf68a3d1f5065c5',
};
const LIBRARIES = ['kotlin-stdlib-2.2.21.jar', 'json-20240303.jar'];

export interface Kotlin {
  /**
   * Compiles sources, of which a warning is an error, unless they are those of the last success.
   * @returns the folder of the classes
   * @throws Error with the output of the compiler
   */
  compile: (sources: readonly string[]) => string;
  /** The arguments of `java` that run the main class of such a folder. */
  run: (folder: string, mainClass: string) => string[];
}

/**
 * A Kotlin compiler from Maven Central, installed once below ~/.cache/tributary, or the reason why
 * there is none.
 */
function findKotlin(): Kotlin | { missing: string } {
  if (spawnSync('java', ['-version']).status !== 0) return { missing: 'There is no Java.' };
  const folder = join(
    process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
    'tributary/kotlin-2.2.21',
  );
  if (!existsSync(folder)) {
    const problem = install(folder);
    if (problem !== '') return { missing: problem };
  }
  const classes = `${folder}-classes`;
  mkdirSync(classes, { recursive: true });
  const paths = (names: readonly string[]): string =>
    names.map((name) => join(folder, name)).join(delimiter);
  return {
    compile(sources) {
      const into = join(classes, digestOf(sources));
      if (existsSync(into)) return into;
      const making = `${into}.${process.pid}`;
      const compiler = [
        '-cp',
        paths(Object.keys(JARS)),
        'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler',
      ];
      const options = [
        '-no-stdlib',
        '-no-reflect',
        '-Werror',
        '-cp',
        paths(LIBRARIES),
        '-d',
        making,
      ];
      const { status, stdout, stderr } = spawnSync('java', [...compiler, ...options, ...sources], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${stdout}${stderr}`);
      // Those of former sources are of no use.
      for (const name of readdirSync(classes).filter((each) => each !== basename(making)))
        rmSync(join(classes, name), { recursive: true, force: true });
      renameSync(making, into);
      return into;
    },
    run: (compiled, mainClass) => ['-cp', [compiled, paths(LIBRARIES)].join(delimiter), mainClass],
  };
}

/**
 * Under a temporary name first, because an interrupted installation must not look complete.
 * @returns the problem, or ''
 */
function install(folder: string): string {
  const making = `${folder}.${process.pid}`;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    const { status, stdout, error } = spawnSync(
      'mvn',
      [
        ...['--batch-mode', '--quiet', '--file', join(ANDROID_STUBS, 'pom.xml')],
        ...['dependency:copy-dependencies', `-DoutputDirectory=${making}`],
      ],
      { encoding: 'utf8', timeout: INSTALL_WITHIN_MS },
    );
    if (error !== undefined) return `Maven, which installs Kotlin, did not run: ${error.message}`;
    if (status !== 0) return `Maven could not install Kotlin: ${stdout.trim().slice(0, 300)}`;
    const sums = Object.fromEntries(
      readdirSync(making).map((name) => [name, sha256(join(making, name))]),
    );
    const wrong = [...new Set([...Object.keys(JARS), ...Object.keys(sums)])].filter(
      (name) => JARS[name] !== sums[name],
    );
    if (wrong.length > 0)
      throw new Error(`Not the files of Kotlin that are known: ${wrong.join()}`);
    if (!existsSync(folder)) renameSync(making, folder);
    return '';
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

const sha256 = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

const digestOf = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`\n// ${basename(file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
};

/** A group of tests that needs Kotlin. Without Java or the compiler it is skipped, counted and reported. */
export function describeWithKotlin(name: string, tests: (kotlin: Kotlin) => void): void {
  const kotlin = findKotlin();
  if ('missing' in kotlin) {
    process.stderr.write(`SKIPPED: ${name}. ${kotlin.missing}\n`);
    describe.skip(name, () => {
      it('needs Java and Kotlin', () => undefined);
    });
  } else {
    describe(name, () => tests(kotlin));
  }
}
