import { pythonWith, type PythonNeeds } from '../../../docs/generators/python.mjs';

/**
 * A group of tests that needs a Python with the packages of a requirements file. Without it the
 * group is skipped, counted and reported.
 */
export function describeWithPython(
  name: string,
  requirements: string,
  tests: (python: string) => void,
  needs: PythonNeeds,
): void {
  const python = pythonWith(requirements, needs);
  if ('missing' in python) {
    process.stderr.write(
      `SKIPPED: ${name}. There is no Python with the packages of ${requirements}, and they could not be installed: ${python.missing}\n`,
    );
    describe.skip(name, () => tests(''));
  } else {
    describe(name, () => tests(python.path));
  }
}
