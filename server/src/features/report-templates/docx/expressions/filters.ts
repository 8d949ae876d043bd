import { fieldOf, isObject, RichText, type ScopeValue, textOf } from '../scope/values.ts'
import { formatDate, formatNumber } from './formats.ts'
import { type Expression, parseExpression } from './parse.ts'
import { isTruthy, type Place } from './place.ts'
import { BadExpression } from './tokens.ts'

type Argument = ScopeValue | undefined
type Evaluate = (expression: Expression, place: Place) => Argument
type Filter = (value: Argument, values: readonly Argument[], place: Place, evaluate: Evaluate) => Argument

const listOf = (value: Argument): readonly ScopeValue[] => {
  if (Array.isArray(value)) return value
  return value === undefined || value === null || value === '' ? [] : [value]
}
const numberOf = (value: Argument, otherwise: number): number => {
  const number = Number(textOf(value))
  return value === undefined || Number.isNaN(number) ? otherwise : number
}
const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
const inScope = (item: ScopeValue, place: Place): Place => ({ ...place, scopes: [item, ...place.scopes] })

const sorted: Filter = (value, [by]) => {
  const name = textOf(by)
  const keyOf = (item: ScopeValue): ScopeValue | undefined => (name === '' ? item : read(item, name))
  return listOf(value).toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)]
    if (typeof left === 'number' && typeof right === 'number') return left - right
    return textOf(left).localeCompare(textOf(right), 'en', { numeric: true })
  })
}

/** A field of an item by its path, such as `cvss.score`. */
const read = (item: ScopeValue, path: string): ScopeValue | undefined =>
  path.split('.').reduce<ScopeValue | undefined>((value, name) => fieldOf(value, name), item)

const where: Filter = (value, [condition], place, evaluate) => {
  const test = parseExpression(textOf(condition))
  return listOf(value).filter((item) => isTruthy(evaluate(test, inScope(item, place))))
}

const grouped: Filter = (value, [by]) => {
  const groups = new Map<string, ScopeValue[]>()
  for (const item of listOf(value)) {
    const key = textOf(read(item, textOf(by)))
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups].map(([key, items]) => ({ key, value: items, items }))
}

const counted: Filter = (value, [severity]) => {
  const wanted = textOf(severity).toLowerCase()
  return listOf(value).filter((item) =>
    ['severity', 'severityName'].some((name) => textOf(read(item, name)).toLowerCase() === wanted),
  ).length
}

/** Characters of a text that a filter makes: filters in a row would multiply it. */
const MAX_TEXT = 1_000_000

const replaced: Filter = (value, [from, to]) => {
  const parts = textOf(value).split(textOf(from) || '\u0000')
  const inserted = textOf(to)
  const length = parts.reduce((sum, part) => sum + part.length, 0) + (parts.length - 1) * inserted.length
  if (length > MAX_TEXT) throw new BadExpression(`its text would have more than ${MAX_TEXT} characters`)
  return parts.join(inserted)
}

const truncated: Filter = (value, [length, end]) => {
  const characters = [...textOf(value)]
  const most = numberOf(length, 100)
  return characters.length <= most
    ? characters.join('')
    : characters.slice(0, most).join('') + (end === undefined ? '…' : textOf(end))
}

const fromTo: Filter = (start, [end, language], place) => {
  const locale = textOf(language) || place.language
  const [from, to] = [formatDate(textOf(start), 'full', locale), formatDate(textOf(end), 'full', locale)]
  return from === to || to === '' ? from : `${from} – ${to}`
}

const FILTERS: Readonly<Record<string, Filter>> = {
  // Texts.
  upper: (value) => textOf(value).toUpperCase(),
  lower: (value) => textOf(value).toLowerCase(),
  title: (value) => textOf(value).split(' ').map(capitalized).join(' '),
  capfirst: (value) => capitalized(textOf(value)),
  initials: (value) =>
    textOf(value)
      .split(' ')
      .filter(Boolean)
      .map((word) => `${word.slice(0, 1)}.`)
      .join(' '),
  trim: (value) => textOf(value).trim(),
  replace: replaced,
  truncate: truncated,
  split: (value, [at]) =>
    textOf(value)
      .split(textOf(at) || ',')
      .map((part) => part.trim()),
  NewLines: (value) =>
    textOf(value)
      .split('\n')
      .filter((line) => line.trim() !== ''),
  default: (value, [otherwise]) => (isTruthy(value) || value === 0 ? value : otherwise),
  plain: (value) => textOf(value),
  // PwnDoc keeps HTML, and needs a filter; texts here are blocks already.
  convertHTML: (value) => value,
  linebreaks: (value) => value,
  p: (value) => value,
  // Dates and numbers.
  convertDate: (value, [style], { language }) => formatDate(textOf(value), textOf(style) || 's', language),
  convertDateLocale: (value, [locale, style], { language }) =>
    formatDate(textOf(value), textOf(style) || 's', textOf(locale) || language),
  fromTo,
  number: (value, [digits], { language }) => formatNumber(numberOf(value, 0), numberOf(digits, -1), language),
  d: (value, [otherwise]) => (textOf(value) === '' ? otherwise : value),
  s: (value, [singular, plural]) =>
    count(value) === 1 ? textOf(singular) : singular === undefined ? 's' : textOf(plural),
  // Lists.
  length: (value) => count(value),
  join: (value, [separator]) =>
    listOf(value)
      .map(textOf)
      .filter(Boolean)
      .join(separator === undefined ? ', ' : textOf(separator)),
  first: (value) => listOf(value)[0],
  last: (value) => listOf(value).at(-1),
  limit: (value, [most]) => listOf(value).slice(0, numberOf(most, 10)),
  reverse: (value) => listOf(value).toReversed(),
  sort: sorted,
  sortArrayByField: (value, [by, order], place, evaluate) => {
    const list = listOf(sorted(value, [by], place, evaluate))
    return numberOf(order, 1) < 0 ? list.toReversed() : list
  },
  where,
  select: (value, [name]) => listOf(value).map((item) => read(item, textOf(name)) ?? null),
  map: (value, [name]) => listOf(value).map((item) => read(item, textOf(name)) ?? null),
  groupBy: grouped,
  count: counted,
  unique: (value) => [...new Map(listOf(value).map((item) => [isObject(item) ? item : textOf(item), item])).values()],
}

const count = (value: Argument): number =>
  typeof value === 'number' ? value : value instanceof RichText ? value.blocks.length : listOf(value).length

/** Names of the filters, in the order of the reference. */
export const FILTER_NAMES: readonly string[] = Object.keys(FILTERS)

interface Filtered {
  value: Argument
  /** Arguments of the filter. */
  values: readonly Argument[]
  place: Place
  evaluate: Evaluate
}

/** Unknown filters are found when the template is read; here they change nothing. */
export const applyFilter = (name: string, { value, values, place, evaluate }: Filtered): Argument => {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
  return filter ? filter(value, values, place, evaluate) : value
}
