import type { Output } from '@sortie/client/calls.ts'

export type ActivityEntry = Output<'listEngagementActivity'>['data'][number]

/** `engagement_details.changed` → `Engagement details changed` */
const describeAction = (action: string): string => {
  const words = action.replace(/[._-]+/g, ' ')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

/** Action and object: `Task changed: Ask for the VPN` */
export const describeEntry = ({ action, object }: ActivityEntry): string =>
  object.name === null || object.type === 'engagement' ? describeAction(action) : `${describeAction(action)}: ${object.name}`

/** The changed fields, as far as they fit a line: `name: old → new`. Empty for created and deleted objects. */
export const describeChange = ({ before, after }: ActivityEntry): string => {
  if (!before || !after) return ''
  return Object.keys(after)
    .map((field) => {
      const [old, now] = [wordOf(before[field]), wordOf(after[field])]
      return old && now ? `${nameOf(field)}: ${old} → ${now}` : nameOf(field)
    })
    .join(', ')
}

const LONGEST_WORD = 60

/** Values that fit in a line; empty for others. */
const wordOf = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.length <= LONGEST_WORD ? value : ''
}

/** `clientName` → `client name` */
const nameOf = (field: string): string => field.replace(/([A-Z])/g, ' $1').toLowerCase()
