import type { FieldType, WrittenFieldValue } from '@sortie/contract/custom-fields/fields.ts'
import { invalid } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import { parseLine } from '../../platform/text/text.ts'

/** What a value of a field must meet. */
export interface FieldRule {
  id: string
  key: string
  type: FieldType
  options: readonly string[]
  required: boolean
  label: string
}

const MAX_LINE = 2_000

/** @returns the value as it is stored @throws ApiError VALIDATION_ERROR that names the key */
export const parseFieldValue = (rule: FieldRule, value: Exclude<WrittenFieldValue, null>): WrittenFieldValue => {
  const parsed = PARSERS[rule.type](value, rule.options)
  if (parsed === undefined) throw invalid(`fields.${rule.key}: must be ${DESCRIPTIONS[rule.type]}`)
  return parsed
}

const DESCRIPTIONS: Record<FieldType, string> = {
  text: `one line of at most ${MAX_LINE} characters`,
  markdown: 'a text of at most 20000 characters',
  number: 'a number',
  boolean: 'true or false',
  date: 'a day, such as 2026-11-21',
  url: 'a web address that starts with http:// or https://',
  choice: 'one of the options',
  choices: 'a list of options, each once',
  person: 'the id of a member',
}

/** Each returns undefined for a value of another type. */
const PARSERS: Record<
  FieldType,
  (value: Exclude<WrittenFieldValue, null>, options: readonly string[]) => WrittenFieldValue | undefined
> = {
  text: (value) => lineOf(value),
  markdown: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => (typeof value === 'string' && isDay(value) ? value : undefined),
  url: (value) => {
    const line = lineOf(value)
    return line !== undefined && /^https?:\/\//i.test(line) && URL.canParse(line) ? line : undefined
  },
  choice: (value, options) => (typeof value === 'string' && options.includes(value) ? value : undefined),
  choices: (value, options) => {
    if (!Array.isArray(value) || new Set(value).size !== value.length) return undefined
    return value.every((each) => options.includes(each)) ? value : undefined
  },
  person: (value) => (typeof value === 'string' && isId('usr', value) ? value : undefined),
}

const lineOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? parseLine(value, MAX_LINE) : undefined

/** A day that exists: `Date.parse` by itself turns the 30th of February into the 2nd of March. */
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(time) && !text.startsWith('0000') && new Date(time).toISOString().startsWith(text)
}
