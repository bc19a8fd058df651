import fc from 'fast-check';
import { addEventHandler, getState, type Event, type State } from 'jest-circus';
import { SEED } from './seed.js';

/*
 * The features that jest-light-runner leaves to us: it runs test files in plain Node, one after
 * another in one process, and supports neither time limits nor unhandled rejections. Every test and
 * hook is wrapped as it is defined.
 */
type DescribeBlock = State['currentDescribeBlock'];
type TestEntry = Extract<DescribeBlock['children'][number], { type: 'test' }>;
type Hook = DescribeBlock['hooks'][number];
type Work = () => unknown;

fc.configureGlobal({ seed: SEED });

// Programs that tests start must not inherit the loader of this process.
delete process.env['NODE_OPTIONS'];

// Fake timers must not stop the clock that ends a hanging test.
const { setTimeout: startTimer, clearTimeout: stopTimer, setImmediate: nextTurn } = globalThis;
const DEFAULT_LIMIT_MS = Number(process.env['TEST_WITHIN_MS'] ?? 120_000);
const NAME_PATTERN = new RegExp(process.env['TEST_NAME_PATTERN'] ?? '', 'i');

let limitMs = DEFAULT_LIMIT_MS;
let unhandled: unknown[] = [];
let roots = new WeakSet<DescribeBlock>();
const failedSetups = new WeakSet<DescribeBlock>();

Object.assign(jest, {
  setTimeout: (ms: number) => {
    openFile(getState().currentDescribeBlock);
    limitMs = ms;
  },
});
// Without a listener the process would exit, and its test files with it.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => void unhandled.push(error));
// The runner releases its processes. Resources that tests left open must not keep them alive.
process.once('disconnect', () => process.exit());

addEventHandler((event: Event, { currentDescribeBlock: block }: State) => {
  if (event.name === 'add_test') {
    openFile(block);
    const test = block.children.at(-1) as TestEntry;
    const work = test.fn as Work | undefined;
    if (work !== undefined) test.fn = () => runTest(block, test, work);
  } else if (event.name === 'add_hook') {
    const hook = block.hooks.at(-1) as Hook;
    openFile(block);
    const work = hook.fn as Work;
    hook.fn = () => runHook(block, hook, work);
    if (block.parent === undefined) putOwnHooksLast(block);
  }
});

/** At the first definition of a file. */
function openFile(block: DescribeBlock): void {
  const root = rootOf(block);
  if (roots.has(root)) return;
  roots = new WeakSet([root]);
  limitMs = DEFAULT_LIMIT_MS;
  root.hooks.unshift(
    { type: 'afterEach', fn: restoreGlobals, parent: root } as unknown as Hook,
    { type: 'afterAll', fn: failOnUnhandled, parent: root } as unknown as Hook,
  );
  putOwnHooksLast(root);
}

/** They see the state that the hooks of the file leave behind. */
function putOwnHooksLast(root: DescribeBlock): void {
  const isOwn = ({ fn }: Hook) => Number(fn === restoreGlobals || fn === failOnUnhandled);
  root.hooks.sort((a, b) => isOwn(a) - isOwn(b));
}

function restoreGlobals(): void {
  jest.restoreAllMocks();
  jest.useRealTimers();
}

async function runTest(block: DescribeBlock, test: TestEntry, work: Work): Promise<void> {
  for (const ancestor of ancestorsOf(block))
    if (failedSetups.has(ancestor)) throw new Error(`Not run: a beforeAll of it failed.`);
  await within(test.timeout ?? limitMs, work);
  await failOnUnhandled();
}

/**
 * A group without a test to run needs no set-up: `--grep` then starts only the services that the
 * chosen tests need.
 */
async function runHook(block: DescribeBlock, hook: Hook, work: Work): Promise<void> {
  if (hook.type.endsWith('All') && !hasTestToRun(block)) return;
  try {
    await within(hook.timeout ?? limitMs, work);
  } catch (error) {
    if (hook.type === 'beforeAll') failedSetups.add(block);
    throw error;
  }
}

async function within(ms: number, work: Work): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = startTimer(() => reject(new Error(`Exceeded its time limit of ${ms} ms`)), ms);
  });
  try {
    await Promise.race([Promise.resolve().then(work), limit]);
  } finally {
    stopTimer(timer);
  }
}

async function failOnUnhandled(): Promise<void> {
  await new Promise((resolve) => nextTurn(resolve));
  const [first, ...others] = unhandled;
  unhandled = [];
  if (first === undefined) return;
  const error = first instanceof Error ? first : new Error(String(first));
  error.message = `Unhandled: ${error.message}`;
  throw others.length === 0 ? error : new AggregateError([error, ...others], error.message);
}

function hasTestToRun(node: DescribeBlock | TestEntry): boolean {
  if (node.mode === 'skip') return false;
  if (node.type === 'describeBlock') return node.children.some(hasTestToRun);
  const names = [node.name, ...ancestorsOf(node.parent).map(({ name }) => name)].reverse();
  // The first name is that of the file's root, which no pattern matches.
  return NAME_PATTERN.test(names.slice(1).join(' '));
}

function ancestorsOf(block: DescribeBlock): DescribeBlock[] {
  return block.parent === undefined ? [block] : [block, ...ancestorsOf(block.parent)];
}

const rootOf = (block: DescribeBlock): DescribeBlock => ancestorsOf(block).at(-1) ?? block;
