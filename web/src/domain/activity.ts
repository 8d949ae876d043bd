import type { Output } from '@sortie/client/calls.ts'

export type ActivityEntry = Output<'listEngagementActivity'>['data'][number]

/** `engagement_details.changed` → `Engagement details changed` */
const describeAction = (action: string): string => {
  const words = action.replace(/[._-]+/g, ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** Action and object: `Task changed: Ask for the VPN` */
export const describeEntry = ({ action, object }: ActivityEntry): string =>
  object.name === null || object.type === 'engagement'
    ? describeAction(action)
    : `${describeAction(action)}: ${object.name}`

/**
 * What was changed and how, as far as it fits a line: `name: old → new`. What is the same as before is left out, and of
 * what is referred to by an id only the name of the field is shown. Empty for what was made or deleted.
 */
export const describeChange = ({ before, after }: ActivityEntry): string => {
  if (!before || !after) return ''
  return Object.keys(after)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => {
      const [old, now] = [wordOf(before[field]), wordOf(after[field])]
      return old && now && !isReference(field) ? `${nameOf(field)}: ${old} → ${now}` : nameOf(field)
    })
    .join(', ')
}

/** `folderId`, `targetIds` */
const isReference = (field: string): boolean => /Ids?$/.test(field)

const LONGEST_WORD = 60

/** Values that fit in a line; empty for others. */
const wordOf = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.length <= LONGEST_WORD ? value : ''
}

/** `clientName` → `client name`; `folderId` → `folder` */
const nameOf = (field: string): string =>
  field
    .replace(/Id(s?)$/, '$1')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
