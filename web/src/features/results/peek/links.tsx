import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import classes from '../results.module.css'

const SHOWN = 50

/** A deleted or hidden object cannot be opened. */
const Gone = () => (
  <Text span inherit c="dimmed">
    no longer there
  </Text>
)

/** Link to the target of a result. */
export const TargetLink = ({ targetId }: { targetId: string }) => {
  const { id, slug } = useOrganization()
  const { data, isError } = useQuery({ ...query(id, 'getTarget', { params: { targetId } }), retry: false })
  if (isError) return <Gone />
  return <TextLink to={paths.target(slug, targetId)}>{data?.data.value ?? '…'}</TextLink>
}

/** Link to a result, by title. */
export const ResultLink = ({ resultId }: { resultId: string }) => {
  const { id, slug } = useOrganization()
  const { data, isError } = useQuery({ ...query(id, 'getResult', { params: { resultId } }), retry: false })
  if (isError) return <Gone />
  return <TextLink to={paths.result(slug, resultId)}>{data?.data.title ?? '…'}</TextLink>
}

/** Results grouped in a vulnerability. */
export const Gathered = ({ resultIds }: { resultIds: readonly string[] }) => (
  <ul className={classes.gathered}>
    {resultIds.slice(0, SHOWN).map((resultId) => (
      <li key={resultId}>
        <ResultLink resultId={resultId} />
      </li>
    ))}
    {resultIds.length > SHOWN && <li>and {resultIds.length - SHOWN} more</li>}
  </ul>
)
