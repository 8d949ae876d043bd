import type { Output } from '@sortie/client/calls.ts'

export type ActivityEntry = Output<'listEngagementActivity'>['data'][number]

/** What the names of actions do not say as people do; `%` is the name of the object. */
const SENTENCES: Readonly<Record<string, readonly [named: string, unnamed: string]>> = {
  'api-request.executed': ['Sent request “%”', 'Sent a request'],
  'request-folder.executed': ['Ran folder “%”', 'Ran a folder'],
  'operation.recorded': ['Recorded a command: %', 'Recorded a command'],
  'operation.noted': ['Added a log entry: %', 'Added a log entry'],
}

/** Nouns of actions that differ from those of the interface. */
const NOUNS: Readonly<Record<string, string>> = {
  'api-request': 'request',
  'api-requests': 'requests',
  page: 'wiki page',
}

/** `engagement_details.changed` → `Engagement details changed` */
const describeAction = (action: string): string => {
  const [noun = '', ...rest] = action.split('.')
  const words = [NOUNS[noun] ?? noun, ...rest].join(' ').replace(/[._-]+/g, ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** Action and object: `Task changed: Ask for the VPN` */
export const describeEntry = ({ action, object }: ActivityEntry): string => {
  const name = object.type === 'engagement' ? null : object.name
  const [named, unnamed] = SENTENCES[action] ?? []
  if (named !== undefined && unnamed !== undefined) return name === null ? unnamed : named.replace('%', () => name)
  return name === null ? describeAction(action) : `${describeAction(action)}: ${name}`
}

/** Of requests and wiki pages; not of targets, whose parent is another target. */
const isPlace = (field: string, ids: readonly unknown[]): boolean =>
  field === 'folderId' || (field === 'parentId' && !ids.some((id) => String(id).startsWith('tgt_')))

/**
 * What was changed and how, as far as it fits a line: `name: old → new`, `moved to Orders`. What is the same as before
 * is left out; of what is referred to by an id its name is shown, or only the name of the field. Empty for what was made
 * or deleted.
 */
export const describeChange = ({ before, after, references }: ActivityEntry): string => {
  if (!before || !after) return ''
  const names = new Map(references.map(({ id, name }) => [id, name]))
  return Object.keys(after)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => {
      if (isPlace(field, [before[field], after[field]])) {
        const placeId = after[field]
        const place = typeof placeId === 'string' ? names.get(placeId) : 'the top'
        return place === undefined ? 'moved' : `moved to ${place}`
      }
      const [old, now] = isReference(field)
        ? [names.get(String(before[field])), names.get(String(after[field]))]
        : [wordOf(field, before[field]), wordOf(field, after[field])]
      if (isReference(field) && now && before[field] === null) return `${nameOf(field)}: ${now}`
      return old && now ? `${nameOf(field)}: ${old} → ${now}` : nameOf(field)
    })
    .join(', ')
}

/** `folderId`, `targetIds`, `assignee_id` */
const isReference = (field: string): boolean => /(?:Id|_id)s?$/.test(field)

const LONGEST_WORD = 60

/** Values that fit in a line; empty for others. */
const wordOf = (field: string, value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || value.length > LONGEST_WORD) return ''
  return CHOICES.has(field) ? value.replaceAll('_', ' ') : value
}

/** Fields whose values are words of the API, such as `in_review`. */
const CHOICES: ReadonlySet<string> = new Set([
  'state',
  'status',
  'verification',
  'outcome',
  'priority',
  'kind',
  'effect',
])

/** `clientName` → `client name`; `folderId` → `folder`; `assignee_id` → `assignee` */
const nameOf = (field: string): string =>
  field
    .replace(/(?:Id|_id)(s?)$/, '$1')
    .replaceAll('_', ' ')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
