import { readFileSync } from 'node:fs';
import document from '../../../docs/openapi.json' with { type: 'json' };
import { pythonClientFiles, REQUIREMENTS } from '../../../docs/generators/python-client.mjs';
import { describeWithPython } from '../../support/receivers/python.js';

describeWithPython(
  'The generated modules of the Python client',
  REQUIREMENTS,
  (python) => {
    it('are those that npm run docs makes of the OpenAPI document', () => {
      for (const [path, content] of Object.entries(pythonClientFiles(python, document)))
        expect({ path, isCurrent: readFileSync(path, 'utf8') === content }).toEqual({
          path,
          isCurrent: true,
        });
    });
  },
  { modules: 'datamodel_code_generator', minVersion: [3, 11] },
);
