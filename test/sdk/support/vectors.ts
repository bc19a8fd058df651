import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../packages/connect-vectors');

export interface Case<Given = unknown, Then = unknown> {
  name: string;
  given: Given;
  then: Then;
}

/** Every file of cases, by its path in packages/connect-vectors without `.json`. */
export function vectorFiles(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && file !== 'package.json')
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

export function readCases<Given, Then>(file: string): Case<Given, Then>[] {
  return JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Case<Given, Then>[];
}
