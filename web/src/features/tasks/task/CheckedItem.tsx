import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { BuiltInSource } from '../coverage/BuiltInSource.tsx'
import type { Task } from '../labels.tsx'

/** Methodology and item that a task checks; empty if the methodology was deleted. */
export const CheckedItem = ({ check }: { check: NonNullable<Task['check']> }) => {
  const { id, slug } = useOrganization()
  const methodology = useQuery(query(id, 'getMethodology', { params: { methodologyId: check.methodologyId } })).data
    ?.data
  if (!methodology) return null
  return (
    <div>
      <Text size="sm">
        Checks {check.itemKey} of{' '}
        <TextLink to={paths.methodology(slug, methodology.id)}>
          {`${methodology.name} ${methodology.version}`.trim()}
        </TextLink>
        .
      </Text>
      {methodology.builtIn && <BuiltInSource description={methodology.description} />}
    </div>
  )
}
