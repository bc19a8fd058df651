import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AdapterSettings } from '../../../providers/adapter.js';
import { CommandFailure } from '../../../clients/terminal/src/command-failure.js';
import { type Row } from '../../../clients/terminal/src/table.js';

interface Described {
  type?: string;
  description?: string;
  default?: unknown;
}

/** The settings of an adapter, for operators. */
export function describeSettings({ public: settings, secret }: AdapterSettings): Row[] {
  const rows = (schema: z.ZodObject, kind: string) => {
    const { properties, required } = describe(schema);
    return Object.entries(properties).map(([name, { description, default: preset }]) => ({
      name,
      kind,
      required: required.includes(name),
      default: preset ?? null,
      meaning: description ?? null,
    }));
  };
  return [...rows(settings, 'setting'), ...rows(secret, 'secret')];
}

/**
 * The values of `--set` options, in the types of the adapter's schema: text is unchanged, numbers and
 * booleans are parsed, lists are separated by commas, everything else is JSON. `@FILE` is the
 * content of a file.
 */
export async function readSetOptions(
  options: readonly string[],
  { public: schema }: AdapterSettings,
): Promise<Record<string, unknown>> {
  const { properties } = describe(schema);
  const values: Record<string, unknown> = {};
  for (const option of options) {
    const [, name, given] = /^([A-Za-z][\w-]*)=(.*)$/s.exec(option) ?? [];
    if (name === undefined || given === undefined)
      throw new CommandFailure('A --set has no name or no value: write NAME=VALUE.');
    if (name in values) throw new CommandFailure(`The setting "${name}" is given twice.`);
    const text = given.startsWith('@') ? await readText(name, given.slice(1)) : given;
    values[name] = valueOf(name, text, properties[name]?.type);
  }
  return values;
}

function describe(schema: z.ZodObject): {
  properties: Record<string, Described>;
  required: readonly string[];
} {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return { properties: properties as Record<string, Described>, required };
}

async function readText(name: string, file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`The file of the setting "${name}" cannot be read: ${code ?? file}.`);
  }
}

function valueOf(name: string, text: string, type: string | undefined): unknown {
  // The schema reports values that do not fit, in its own words.
  if (type === 'number' || type === 'integer') return text === '' ? text : Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'object' || (type === 'array' && text.startsWith('['))) return parseJson(name, text);
  if (type === 'array') return text.split(',').map((part) => part.trim());
  return text;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(`The setting "${name}" must be JSON.`);
  }
}

/** The form in which it is given. */
export function asText(value: unknown): string {
  return typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every((part) => typeof part === 'string')
      ? value.join(',')
      : JSON.stringify(value);
}
