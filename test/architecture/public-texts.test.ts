import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const ROOTS = [
  'apps',
  'simulators',
  'packages',
  'clients',
  'domain',
  'providers',
  'prisma',
  'activities',
  'workflows',
];
const IGNORED = /node_modules|generated|dist\/|\.test\.|\/test\//;
const PAGES = readdirSync('docs/contract').map((file) => file.replace('.md', ''));
/** A section of a page of the contract, which readers of a message do not have. */
const SECTION = new RegExp(
  `\\b(${PAGES.join('|')})(\\.md)? \\d|\\b(${PAGES.filter((page) => page.includes('-')).join('|')})\\b|docs/contract`,
);

/** The texts of a program that it can show: its strings, without its comments. */
function textsOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const collect = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node) ||
      ts.isJsxText(node)
    )
      texts.push(node.text);
    ts.forEachChild(node, collect);
  };
  collect(source);
  return texts;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

const sections = (texts: readonly string[]) => texts.filter((text) => SECTION.test(text));

describe('A section of the contract', () => {
  it('is recognized in a text', () => {
    expect(
      sections(['Must be a group of native-api 4.11.', 'an address (webhooks 7)']),
    ).toHaveLength(2);
    expect(sections(['Webhooks of an app', 'connect another bank', 'RFC 6749, section 4'])).toEqual(
      [],
    );
  });

  it('is named in no text of a program: error, page, log line, help or setting', () => {
    const files = ROOTS.flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => `${root}/${file}`),
    ).filter((path) => /\.(ts|tsx)$/.test(path) && !IGNORED.test(path));
    const named = files.flatMap((path) => sections(textsOf(path)).map((text) => [path, text]));
    expect(named).toEqual([]);
  });

  it('is named nowhere in the OpenAPI document', () => {
    const document: unknown = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    expect(sections(stringsIn(document))).toEqual([]);
  });
});
