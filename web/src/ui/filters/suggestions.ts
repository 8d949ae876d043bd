import { type FilterDefinition, formatFilters } from './filters.ts'

/** An entry of the list below the filter field. */
export interface Suggestion {
  key: string
  label: string
  /** What is typed for it: `severity:`. */
  hint: string
  /** A value of a filter, or absent: the name, whose value comes next. */
  value?: string
  definition: FilterDefinition
}

/** A prefix that names a filter, at the end of the text: `severity:hi`. */
const LAST_WORD = /(?:^|\s)((?:"[^"]*"|[^\s"])*)$/

const SHOWN = 12

/** The word that is being typed, and the text before it. */
export const splitLast = (text: string): { before: string; last: string } => {
  const last = LAST_WORD.exec(text)?.[1] ?? ''
  return { before: text.slice(0, text.length - last.length), last }
}

/** Names of filters for the word that is being typed; after `name:` its values that are not chosen yet. */
export const suggestionsFor = (
  text: string,
  definitions: readonly FilterDefinition[],
  chosen: (name: string) => readonly string[],
): Suggestion[] => {
  const { last } = splitLast(text)
  const colon = last.indexOf(':')
  if (colon < 0) {
    return definitions
      .filter(({ name, label }) => startsWith(name, last) || startsWith(label, last))
      .map((definition) => ({ key: definition.name, label: definition.label, hint: `${definition.name}:`, definition }))
  }
  const definition = definitions.find(({ name }) => name.toLowerCase() === last.slice(0, colon).toLowerCase())
  if (definition?.kind !== 'words') return []
  const typed = last.slice(colon + 1).split(',')
  const word = typed.at(-1) ?? ''
  const taken = new Set([...chosen(definition.name), ...typed.slice(0, -1)])
  return definition.options
    .filter(({ value, label }) => !taken.has(value) && (startsWith(value, word) || startsWith(label, word)))
    .slice(0, SHOWN)
    .map(({ value, label }) => ({
      key: `${definition.name}:${value}`,
      label,
      hint: formatFilters({ [definition.name]: value }, [definition]),
      value,
      definition,
    }))
}

const startsWith = (text: string, start: string): boolean => text.toLowerCase().startsWith(start.toLowerCase())
