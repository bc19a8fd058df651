import { join } from 'node:path';
import { describeWithPython } from './python.js';

/** The variables of a program that imports the client, and the stores of its examples, from the sources. */
export const CLIENT_VARIABLES = {
  PYTHONPATH: ['clients/python/src', 'examples/sync-stores-python']
    .map((folder) => join(process.cwd(), folder))
    .join(':'),
  PYTHONDONTWRITEBYTECODE: '1',
};

/** A group of tests that needs a Python with what the client and its own tests import. */
export const describeWithPythonClient = (name: string, tests: (python: string) => void): void =>
  describeWithPython(name, 'clients/python/requirements.txt', tests, {
    modules: 'httpx2, pydantic',
    minVersion: [3, 11],
  });
