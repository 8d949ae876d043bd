import { evaluate } from '../expressions/evaluate.ts'
import { FILTER_NAMES } from '../expressions/filters.ts'
import { type Expression, parseExpression, partsOf } from '../expressions/parse.ts'
import { BadExpression } from '../expressions/tokens.ts'
import { fieldOf, isObject, type ScopeObject, type ScopeValue } from '../scope/values.ts'
import { closest, type TemplateProblem } from './problems.ts'
import type { LooseBrace, Tag } from './tags.ts'

/** A loop or condition around a tag. */
interface Level {
  /** Undefined if it cannot be known: every name fits. */
  value: ScopeValue | undefined
  isUnknown: boolean
  /** The path from the report to the value; empty for the report. */
  path: string
  tag: Tag
  text: string
}

export interface CheckedTags {
  problems: TemplateProblem[]
  /** Paths of report-data that the tags read, such as `findings.title`. */
  used: Set<string>
}

/** Objects whose fields the organization names. */
const FREE = ['fields', 'customFields', 'labels', 'section', 'scope']
const PREFIXES = ['#', '^', '/', '@', '%', '-']

/**
 * Finds everything that is wrong with the tags of a part, without stopping at the first.
 *
 * @param sample a report in which every list has an entry and no field is empty
 */
export const checkTags = (tags: readonly Tag[], loose: readonly LooseBrace[], sample: ScopeObject): CheckedTags => {
  const problems: TemplateProblem[] = loose.map(looseProblem)
  const used = new Set<string>()
  const levels: Level[] = []
  for (const tag of tags) {
    const problem = (message: string, fits: string | null = null) =>
      problems.push({
        level: 'error',
        message,
        file: tag.part,
        tag: `{${tag.text}}`,
        context: tag.context,
        paragraph: tag.paragraph,
        fits,
      })
    const { prefix, text } = splitTag(tag.text)
    if (prefix === '/') {
      const opened = levels.pop()
      if (!opened) problem('This tag ends a loop that does not begin in the same part of the document.')
      else if (text !== '' && text !== opened.text && text !== sourceOf(opened.text))
        problem(`This tag ends the loop {${opened.tag.text}}, but has another name.`, `{/${opened.text}}`)
      continue
    }
    const expression = parsed(text, problem)
    if (expression) checkNames(expression, levels, sample, used, problem)
    if (prefix === '@' && tag.isAmongText && !isColor(text))
      problem('This tag inserts whole paragraphs: it must be the only text of its paragraph.')
    if (prefix === '#' || prefix === '^' || prefix === '-')
      levels.push(levelOf(tag, text, prefix === '^' ? undefined : expression, levels, sample))
  }
  for (const { tag } of levels)
    problems.push({
      level: 'error',
      message: 'This loop has no end.',
      file: tag.part,
      tag: `{${tag.text}}`,
      context: tag.context,
      paragraph: tag.paragraph,
      fits: `{/${splitTag(tag.text).text}}`,
    })
  return { problems, used }
}

/** Whether a tag of `@` fills the cell, and may be in a cell with other text. */
export const isColor = (text: string): boolean => text.trim().toLowerCase().endsWith('color')

const looseProblem = ({ part, paragraph, context, brace }: LooseBrace): TemplateProblem => ({
  level: 'error',
  message: brace === '{' ? 'This brace opens a tag that has no end.' : 'This brace closes a tag that has no beginning.',
  file: part,
  tag: null,
  context,
  paragraph,
  fits: brace === '{' ? '}' : '{',
})

/** `-w:p findings` is a loop over whole paragraphs. */
export const splitTag = (tag: string): { prefix: string; text: string } => {
  const trimmed = tag.replaceAll('\u00a0', ' ').trim()
  const prefix = PREFIXES.find((each) => trimmed.startsWith(each)) ?? ''
  const text = trimmed.slice(prefix.length).trim()
  if (prefix !== '-') return { prefix, text }
  const space = text.indexOf(' ')
  return { prefix, text: space === -1 ? '' : text.slice(space + 1).trim() }
}

/** `findings` of `findings | sort:'title'`. */
const sourceOf = (text: string): string => (text.split('|')[0] ?? '').trim()

type Report = (message: string, fits?: string | null) => unknown

const parsed = (text: string, problem: Report): Expression | undefined => {
  try {
    return parseExpression(text)
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error
    problem(`This tag cannot be read: ${error.message}.`)
    return undefined
  }
}

const checkNames = (
  expression: Expression,
  levels: readonly Level[],
  sample: ScopeObject,
  used: Set<string>,
  problem: Report,
): void => {
  const { paths, filters } = partsOf(expression)
  for (const filter of filters) {
    if (FILTER_NAMES.includes(filter)) continue
    const fits = closest(filter, FILTER_NAMES)
    problem(`There is no filter ${filter}.`, fits.length > 0 ? fits.join(', ') : FILTER_NAMES.join(', '))
  }
  for (const path of paths) checkPath(path, levels, sample, used, problem)
}

const checkPath = (
  path: readonly string[],
  levels: readonly Level[],
  sample: ScopeObject,
  used: Set<string>,
  problem: Report,
): void => {
  const [first = '', ...rest] = path
  if (first === '.' || first.startsWith('$')) return
  const inner: { value: ScopeValue | undefined; at: string }[] = levels.map(({ value, path: at }) => ({ value, at }))
  const scopes = [{ value: sample, at: '' }, ...inner].toReversed()
  const found = scopes.find(({ value }) => fieldOf(value, first) !== undefined)
  if (!found) {
    if (levels.some(({ isUnknown }) => isUnknown)) return
    const names = scopes.flatMap(({ value }) => namesOf(value))
    problem(`There is no field ${first}.`, closest(first, names).join(', ') || null)
    return
  }
  let value: ScopeValue | undefined = fieldOf(found.value, first)
  let at = join(found.at, first)
  used.add(at)
  for (const [index, name] of rest.entries()) {
    const before = index === 0 ? first : (rest[index - 1] ?? '')
    const next = fieldOf(value, name)
    if (next === undefined) {
      const isFree = FREE.includes(before) || value === null || value === '' || (Array.isArray(value) && isIndex(name))
      if (!isFree)
        problem(`The field ${before} has no field ${name}.`, closest(name, namesOf(value)).join(', ') || null)
      return
    }
    value = next
    at = join(at, name)
    used.add(at)
  }
}

const isIndex = (name: string): boolean => name === 'length' || /^\d{1,6}$/.test(name)
const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
const namesOf = (value: ScopeValue | undefined): string[] => (isObject(value) ? Object.keys(value) : [])

const levelOf = (
  tag: Tag,
  text: string,
  expression: Expression | undefined,
  levels: readonly Level[],
  sample: ScopeObject,
): Level => {
  const parent = levels.at(-1)
  const same = {
    value: parent ? parent.value : sample,
    isUnknown: parent?.isUnknown ?? false,
    path: parent?.path ?? '',
  }
  if (!expression) return { ...same, tag, text }
  const scopes = [...levels.map(({ value }) => value ?? null).toReversed(), sample]
  const place = { scopes, index: 0, isLast: true, language: 'en' }
  const path = pathOf(expression)
  const value = sampleValue(expression, place)
  if (value === undefined) return { value: undefined, isUnknown: true, path, tag, text }
  const at =
    [...levels].toReversed().find((level) => fieldOf(level.value, path.split('.')[0] ?? '') !== undefined)?.path ?? ''
  if (Array.isArray(value)) {
    const list: readonly ScopeValue[] = value
    return { value: list[0], isUnknown: list.length === 0, path: join(at, path), tag, text }
  }
  if (isObject(value)) return { value, isUnknown: false, path: join(at, path), tag, text }
  return { ...same, tag, text }
}

/** The list or object behind filters; a filter that finds nothing in the sample keeps the form of its list. */
const sampleValue = (expression: Expression, place: Parameters<typeof evaluate>[1]): ScopeValue | undefined => {
  let value: ScopeValue | undefined
  try {
    value = evaluate(expression, place)
  } catch (error) {
    if (!(error instanceof BadExpression)) throw error
  }
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
  return isEmpty && expression.type === 'filter' ? sampleValue(expression.of, place) : value
}

const pathOf = (expression: Expression): string => {
  if (expression.type === 'path') return expression.names.join('.')
  return expression.type === 'filter' ? pathOf(expression.of) : ''
}
