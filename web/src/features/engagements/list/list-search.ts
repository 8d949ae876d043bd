import { ENGAGEMENT_KINDS } from '@sortie/contract/engagement/engagement-details.ts'
import { ENGAGEMENT_STATUSES } from '@sortie/contract/engagement/engagements.ts'
import { STATUS_LABELS } from '../../../domain/engagement-status.tsx'
import { flag, type Raw, definedParams, text, word } from '../../../search.ts'
import { type FilterDefinition, filterSearch } from '../../../ui/filters/filters.ts'
import { KIND_LABELS } from '../kinds.ts'

export const SORTS = ['createdAt', 'updatedAt', 'name', 'clientName', 'status', 'kind', 'startsOn', 'endsOn'] as const

export const FILTERS: readonly FilterDefinition[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'words',
    options: ENGAGEMENT_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
  },
  {
    name: 'kind',
    label: 'Kind',
    kind: 'words',
    options: ENGAGEMENT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })),
  },
  {
    name: 'leadId',
    label: 'Lead',
    kind: 'words',
    options: [
      { value: 'me', label: 'Me' },
      { value: 'none', label: 'None' },
    ],
  },
]

const filters = filterSearch(FILTERS.map(({ name }) => name))

/** Search params of the list: filters, sort, preview, and the create dialog. */
export const listSearch = (raw: Raw) => ({
  ...filters(raw),
  ...definedParams({
    sort: word(SORTS, raw.sort),
    order: word(['asc', 'desc'] as const, raw.order),
    peek: text(raw.peek),
    create: flag(raw.create),
  }),
})
