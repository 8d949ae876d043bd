import { hasDeceptiveCharacters } from '../../../platform/text/invisible.ts'
import { isSingleLine } from '../../../platform/text/text.ts'

/** An issue of a code host, reduced to what a task needs. */
export interface Issue {
  /** The code host's id. */
  id: string
  /** The event that was delivered. */
  action: 'opened' | 'closed' | 'reopened'
  /** The resulting status of its task. */
  status: 'open' | 'done' | 'cancelled'
  title: string
  description: string
  labels: string[]
  /** When it changed, by the code host's clock. */
  updatedAt: string
}

const MAX_TITLE = 200
const MAX_DESCRIPTION = 50_000
const MAX_LABELS = 20
const MAX_LABEL = 64
const ACTIONS = ['opened', 'closed', 'reopened'] as const

/** @returns undefined if the payload is not an issue, or for an action that does not affect a task */
export const readIssue = (action: string | null, payload: string): Issue | undefined => {
  const known = ACTIONS.find((name) => name === action)
  const issue = fields(parse(payload)['issue'])
  const updatedAt = Date.parse(String(issue['updated_at']))
  if (!known || !isId(issue['id']) || Number.isNaN(updatedAt)) return undefined
  const closed = issue['state_reason'] === 'not_planned' ? 'cancelled' : 'done'
  return {
    id: String(issue['id']),
    action: known,
    status: known === 'closed' ? closed : 'open',
    title: lineOf(issue['title'], MAX_TITLE) || `Issue ${String(issue['id'])}`,
    description: describe(issue),
    labels: labelsOf(issue['labels']),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

/** The text of the issue, with its URL as the last line. */
const describe = ({ body, html_url: url }: Fields): string => {
  const address = typeof url === 'string' && url.length <= 500 && /^https?:\/\/[!-~]+$/.test(url) ? url : ''
  const text = cut(storable(typeof body === 'string' ? body : ''), MAX_DESCRIPTION - address.length - 2)
  return [text, address].filter(Boolean).join('\n\n')
}

/** A name without a comma is a label; duplicates are dropped. */
const labelsOf = (labels: unknown): string[] => {
  const names = Array.isArray(labels)
    ? labels.slice(0, MAX_LABELS).map((label) => lineOf(fields(label)['name'], MAX_LABEL).replaceAll(',', ' ').trim())
    : []
  return [...new Set(names.filter(Boolean))]
}

/** External text as one displayable line. */
const lineOf = (value: unknown, maxLength: number): string => {
  if (typeof value !== 'string') return ''
  const line = storable(value.slice(0, 4 * maxLength)).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  const plain = hasDeceptiveCharacters(line)
    ? line.replace(/[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gv, '')
    : line
  const short = cut(plain.normalize('NFC').trim(), maxLength).trim()
  return isSingleLine(short) ? short : ''
}

const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

/** By code points, the unit of all lengths. */
const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : [...text].slice(0, maxLength).join('')

type Fields = Record<string, unknown>

const parse = (text: string): Fields => {
  try {
    return fields(JSON.parse(text))
  } catch {
    return {}
  }
}

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const isId = (value: unknown): boolean => Number.isSafeInteger(value)
