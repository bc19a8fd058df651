/** The values that the service may send in a text, without the promise that there are no others. */
const MARK = 'x-extensible-enum';
/** Grows with each addition to an event, which receivers accept. */
const MINOR_VERSION = 'webhook_minor_version';

/**
 * A schema with each open list in the form that `write` gives it. A list is open when it has the mark
 * `x-extensible-enum`, or is `anyOf` of its known values and of any text. The minor version of a
 * webhook is any number.
 * @param write makes a schema of the known values
 */
export function withOpenLists(schema, write) {
  if (Array.isArray(schema)) return schema.map((each) => withOpenLists(each, write));
  if (typeof schema !== 'object' || schema === null) return schema;
  const known = knownValues(schema);
  if (known !== undefined) {
    const { [MARK]: _mark, anyOf: _anyOf, enum: _enum, type: _type, ...rest } = schema;
    return { ...rest, ...write(known) };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === MINOR_VERSION ? withoutConst(value) : withOpenLists(value, write),
    ]),
  );
}

const withoutConst = ({ const: _const, ...schema }) => schema;

function knownValues({ [MARK]: marked, anyOf }) {
  if (Array.isArray(marked)) return marked;
  if (!Array.isArray(anyOf) || !anyOf.some(isAnyText)) return undefined;
  const lists = anyOf.filter(({ enum: values }) => Array.isArray(values));
  return lists.length === 1 && anyOf.length === 2 ? lists[0].enum : undefined;
}

const isAnyText = ({ type, enum: values, format, const: only, pattern }) =>
  type === 'string' && [values, format, only, pattern].every((limit) => limit === undefined);
