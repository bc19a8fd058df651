import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Names of properties, anywhere in a payload, that would carry a secret or personal data into a
 * history.
 */
const PRIVATE =
  /password|passwd|secret|token|credential|values|^code$|pin$|image|accountNumber|routingNumber|email|phone|balance|body|signature|privateKey|url$/i;
/** Harmless: the code of an error. */
const KNOWN = [/\.error\.code$/];
const DEEPEST = 8;

const files = ['activities', 'workflows'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(ROOT, folder, file)),
);
const program = ts.createProgram(files, {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
});
const checker = program.getTypeChecker();

/**
 * Every type that enters a history: the parameters and results of activities, and those of
 * workflows and their messages.
 */
function payloads(): { name: string; type: ts.Type }[] {
  return program
    .getSourceFiles()
    .filter(({ fileName }) => files.includes(fileName))
    .flatMap((source) => {
      const symbol = checker.getSymbolAtLocation(source);
      const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
      return exported.flatMap((entry) => {
        const name = `${relative(ROOT, source.fileName)} ${entry.name}`;
        if (/^create\w+Activities$/.test(entry.name))
          return activityPayloads(name, checker.getTypeOfSymbol(entry));
        if (/^[a-z]\w*(Update|Signal|Query)$/.test(entry.name))
          return typeArguments(name, checker.getTypeOfSymbol(entry));
        return source.fileName.endsWith('.workflow.ts')
          ? functionPayloads(name, checker.getTypeOfSymbol(entry))
          : [];
      });
    });
}

function activityPayloads(name: string, factory: ts.Type): { name: string; type: ts.Type }[] {
  const [signature] = factory.getCallSignatures();
  if (signature === undefined) return [];
  return checker
    .getReturnTypeOfSignature(signature)
    .getProperties()
    .flatMap((activity) =>
      functionPayloads(`${name}.${activity.name}`, checker.getTypeOfSymbol(activity)),
    );
}

function functionPayloads(name: string, type: ts.Type): { name: string; type: ts.Type }[] {
  return type.getCallSignatures().flatMap((signature) => {
    const result = checker.getReturnTypeOfSignature(signature);
    const awaited = checker.getAwaitedType(result) ?? result;
    return [
      ...signature.getParameters().map((parameter) => ({
        name: `${name}(${parameter.name})`,
        type: checker.getTypeOfSymbol(parameter),
      })),
      { name: `${name} result`, type: awaited },
    ];
  });
}

function typeArguments(name: string, type: ts.Type): { name: string; type: ts.Type }[] {
  return (type.aliasTypeArguments ?? checker.getTypeArguments(type as ts.TypeReference)).map(
    (argument, index) => ({ name: `${name}<${index}>`, type: argument }),
  );
}

/** The paths of all properties with a private name. */
function privateParts(path: string, type: ts.Type, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  if (type.isUnionOrIntersection())
    return type.types.flatMap((part) => privateParts(path, part, depth + 1));
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return checker
      .getTypeArguments(type as ts.TypeReference)
      .flatMap((part) => privateParts(path, part, depth + 1));
  if ((type.flags & ts.TypeFlags.Object) === 0 || type.getCallSignatures().length > 0) return [];
  return type.getProperties().flatMap((property) => {
    const inner = `${path}.${property.name}`;
    const found =
      PRIVATE.test(property.name) && !KNOWN.some((known) => known.test(inner)) ? [inner] : [];
    return [...found, ...privateParts(inner, checker.getTypeOfSymbol(property), depth + 1)];
  });
}

describe('The payloads of workflows and activities', () => {
  const found = payloads();

  it('are found in the contracts of workflows and activities', () => {
    const names = found.map(({ name }) => name).join('\n');
    for (const expected of [
      'createLinkingActivities.beginLogin(',
      'createLoginActivities.openBankLogin(',
      'createFetchActivities.fetchProduct result',
      'linkSession(',
      'productRefresh result',
      'submitStepUpdate<',
    ]) {
      expect(names).toContain(expected);
    }
  });

  it('have no field for a secret or for personal data', () => {
    expect(found.flatMap(({ name, type }) => privateParts(name, type))).toEqual([]);
  });

  it('are searched in every nested type', () => {
    const input = program
      .getSourceFiles()
      .find(({ fileName }) => fileName.endsWith('domain/session/connect-step.ts'));
    const symbol = input === undefined ? undefined : checker.getSymbolAtLocation(input);
    const stepInput =
      symbol === undefined
        ? undefined
        : checker.getExportsOfModule(symbol).find(({ name }) => name === 'StepInput');
    if (stepInput === undefined) throw new Error('StepInput is not there');
    expect(privateParts('StepInput', checker.getDeclaredTypeOfSymbol(stepInput))).toEqual(
      expect.arrayContaining(['StepInput.values', 'StepInput.code']),
    );
  });
});
