import type { Item } from '../registry/format.ts'
import { readDocument } from './json-document.ts'

/** A part of a JSON document that was read whole. */
export interface DocumentPart {
  type: 'part'
  path: string
  value: unknown
  /** `line 12`. */
  position: string
}

/**
 * Streams the parts of JSON documents at some paths (`results.*`, `vulnerabilities.*.id`), so that their size does not
 * matter. With the path `*` a document is a list itself. A document that is damaged ends with a `cut`.
 */
export async function* documentParts(
  text: AsyncIterable<string>,
  paths: readonly string[],
): AsyncGenerator<DocumentPart | (Item & { type: 'cut' })> {
  const whole = new Set(paths)
  const entered = new Set(['', ...paths.flatMap((path) => parentsOf(path))])
  const interest = (path: string) => (whole.has(path) ? 'whole' : entered.has(path) ? 'enter' : 'skip')
  for await (const event of readDocument(text, interest, whole.has('*'))) {
    if (event.type === 'error') yield { type: 'cut', reason: `line ${event.line}: ${event.reason}` }
    else if (event.type === 'value' && whole.has(event.path))
      yield { type: 'part', path: event.path, value: event.value, position: `line ${event.line}` }
  }
}

const parentsOf = (path: string): string[] => {
  const keys = path.split('.')
  return keys.map((_, index) => keys.slice(0, index).join('.'))
}
