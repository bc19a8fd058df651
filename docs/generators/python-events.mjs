import { eventsOf } from '../../tools/build-node-types.mjs';

/** The union and the dictionary of clients/python. */
export function pythonEvents(document, header) {
  const events = eventsOf(document);
  const schemas = events.map(([, schema]) => schema);
  return `${header}
from __future__ import annotations

from typing import TypeAlias

from .models import (
${schemas
  .toSorted()
  .map((schema) => `    ${schema},\n`)
  .join('')})

KnownEvent: TypeAlias = (
    ${schemas.join('\n    | ')}
)

KINDS: dict[str, type[KnownEvent]] = {
${events.map(([name, schema]) => `    "${name}": ${schema},\n`).join('')}}
`;
}
