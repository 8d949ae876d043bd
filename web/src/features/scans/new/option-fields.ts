import type { Scanner } from '../labels.ts'

/** A scanner option as a form field. */
export type OptionField = { name: string } & (
  | { kind: 'flag'; value: boolean }
  | { kind: 'choice'; value: string; words: readonly string[] }
  | { kind: 'several'; value: readonly string[]; words: readonly string[] }
  | { kind: 'number'; value: number | undefined; minimum: number; maximum: number }
  | { kind: 'text'; value: string; suggestions: readonly string[] }
)

interface Property {
  type?: string
  enum?: readonly string[]
  items?: { enum?: readonly string[] }
  default?: unknown
  examples?: readonly unknown[]
  minimum?: number
  maximum?: number
}

const PORT_LISTS = ['top-100', 'top-1000', 'all', '22,80,443,8000-8100']

/**
 * Derives form fields from the JSON Schema of a scanner's options, so that new scanners need no change here.
 * @param chosen options set so far; defaults apply to the rest
 */
export const optionFields = (
  { options }: Pick<Scanner, 'options'>,
  chosen: Readonly<Record<string, unknown>>,
): OptionField[] =>
  Object.entries((options['properties'] ?? {}) as Record<string, Property>).map(([name, property]) =>
    toField(name, property, chosen[name] ?? property.default),
  )

const toField = (name: string, property: Property, value: unknown): OptionField => {
  if (property.type === 'boolean') return { name, kind: 'flag', value: value === true }
  if (property.enum)
    return { name, kind: 'choice', value: typeof value === 'string' ? value : '', words: property.enum }
  const several = property.items?.enum
  if (several) return { name, kind: 'several', value: Array.isArray(value) ? value.map(String) : [], words: several }
  if (property.type === 'integer' || property.type === 'number') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = property
    return { name, kind: 'number', value: typeof value === 'number' ? value : undefined, minimum, maximum }
  }
  return {
    name,
    kind: 'text',
    value: typeof value === 'string' ? value : '',
    suggestions: name === 'ports' ? PORT_LISTS : (property.examples ?? []).map(String),
  }
}
