import { Text } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { keepPrevious } from '../../../ui/lists/keep-previous.ts'
import type { ScanTargets } from '../labels.ts'

const NUMBER = new Intl.NumberFormat('en')

/** Number of selected targets, before the scan starts. */
export const TargetCount = ({ engagementId, targets }: { engagementId: string; targets: ScanTargets }) => {
  const { ids, filter, diff } = targets
  if (ids) return <Shown text={counted(ids.length, 'target')} />
  if (diff) return <NewResults engagementId={engagementId} from={diff.from} />
  return <Matching filter={{ ...filter, engagementId }} />
}

const Matching = ({ filter }: { filter: NonNullable<ScanTargets['filter']> }) => {
  const organization = useOrganization()
  const where = { ...filter, perPage: 1 } as NonNullable<Input<'listTargets'>['query']>
  const read = query(organization.id, 'listTargets', { query: where })
  const { data } = useQuery({ ...read, placeholderData: keepPrevious(read.queryKey) })
  if (!data) return <Shown text="…" />
  return <Shown text={data.meta.total === null ? 'More than 10,000 targets' : counted(data.meta.total, 'target')} />
}

const NewResults = ({ engagementId, from }: { engagementId: string; from: string }) => {
  const organization = useOrganization()
  const { data, error } = useQuery(query(organization.id, 'diffResults', { query: { engagementId, from, perPage: 1 } }))
  if (error) return null
  return <Shown text={data ? `${counted(data.meta.summary.new, 'new result')}: their targets are scanned` : '…'} />
}

const Shown = ({ text }: { text: string }) => (
  <Text size="sm" role="status">
    {text}.
  </Text>
)

/** `No targets`, `1 target`, `1,200 targets` */
const counted = (count: number, noun: string): string =>
  count === 0 ? `No ${noun}s` : `${NUMBER.format(count)} ${noun}${count === 1 ? '' : 's'}`
