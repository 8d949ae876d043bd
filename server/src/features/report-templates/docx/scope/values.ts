import type { BlockValue } from '@sortie/contract/reports/report-data.ts'

/** Blocks as a value of a template: `{@name}` inserts them with their styles, `{name}` their words. */
export class RichText {
  readonly blocks: readonly BlockValue[]

  constructor(blocks: readonly BlockValue[]) {
    this.blocks = blocks
  }

  toString(): string {
    return this.blocks
      .map(wordsOf)
      .filter((words) => words !== '')
      .join('\n')
  }
}

/** A color as a value of a template: `{@name}` fills the cell around it. */
export class CellColor {
  /** Six hexadecimal digits. */
  readonly hex: string

  constructor(color: string) {
    this.hex = color.replace('#', '')
  }

  toString(): string {
    return this.hex
  }
}

/** A key of the images of a report as a value of a template: `{%name}` inserts the picture. */
export class PictureKey {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }

  toString(): string {
    return this.key
  }
}

const inlineWords = (content: BlockValue['content'] = []): string =>
  content.map(({ type, text, code }) => (type === 'break' ? '\n' : (text ?? code ?? ''))).join('')

/** The words of a block, without its form. */
export const wordsOf = (block: BlockValue): string => {
  const own = [
    inlineWords(block.content),
    block.title ?? '',
    block.text ?? '',
    block.request ?? '',
    block.response ?? '',
    ...(block.columns ? [block.columns.map(({ title }) => inlineWords(title)).join('\t')] : []),
    ...(block.rows ?? []).map((row) => row.map(inlineWords).join('\t')),
    ...(block.items ?? []).map((item) => item.map(wordsOf).join('\n')),
    inlineWords(block.caption),
  ]
  return own.filter((words) => words !== '').join('\n')
}

/** What a template reads: texts, numbers, lists, objects, and the values of this module. */
export type ScopeValue =
  | string
  | number
  | boolean
  | null
  | RichText
  | CellColor
  | PictureKey
  | readonly ScopeValue[]
  | ScopeObject
export interface ScopeObject {
  readonly [name: string]: ScopeValue
}

export const isObject = (value: unknown): value is ScopeObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof RichText) &&
  !(value instanceof CellColor) &&
  !(value instanceof PictureKey)

/** @returns undefined if the value has no such field */
export const fieldOf = (value: ScopeValue | undefined, name: string): ScopeValue | undefined => {
  if (Array.isArray(value)) {
    if (name === 'length') return value.length
    const list: readonly ScopeValue[] = value
    return list[Number(name)]
  }
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** A value where a text is wanted. */
export const textOf = (value: ScopeValue | undefined): string => {
  if (value === undefined || value === null || value === false) return ''
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  if (isObject(value)) return ''
  if (value instanceof RichText || value instanceof CellColor || value instanceof PictureKey) return value.toString()
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
