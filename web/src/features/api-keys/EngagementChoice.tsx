import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import classes from './api-keys.module.css'

/** Engagements of a key as in the API, but undefined for every engagement. */
export type KeyEngagements = 'open' | readonly string[] | undefined

/** API limit. */
const MAX_LISTED = 100

interface Props {
  value: KeyEngagements
  onChange: (value: KeyEngagements) => void
  error: string | undefined
}

export const EngagementChoice = ({ value, onChange, error }: Props) => (
  <Stack gap={8}>
    <Radio.Group
      label="Engagements"
      value={value === undefined ? 'all' : value === 'open' ? 'open' : 'listed'}
      onChange={(choice) => onChange(choice === 'all' ? undefined : choice === 'open' ? 'open' : [])}
      error={error}
    >
      <Stack gap={6} mt={6}>
        <Radio value="open" label="Shared with the whole organization" />
        <Radio value="listed" label="Only these" description="The key sees nothing else of the organization’s work." />
        <Radio value="all" label="Every engagement" description="Including those that only their team sees." />
      </Stack>
    </Radio.Group>
    {typeof value === 'object' && <EngagementList chosen={value} onChange={onChange} />}
  </Stack>
)

const EngagementList = ({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}) => {
  const organization = useOrganization()
  const list = useQuery(
    query(organization.id, 'listEngagements', { query: { perPage: MAX_LISTED, sort: 'name', order: 'asc' } }),
  )
  return (
    <QueryView query={list} skeleton={<ListSkeleton rows={2} height={24} />}>
      {({ data: engagements, meta }) =>
        engagements.length === 0 ? (
          <Text size="sm">There are no engagements yet.</Text>
        ) : (
          <fieldset className={classes.scopeGroup}>
            <legend>Reaches</legend>
            <Stack gap={6}>
              {engagements.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={chosen.includes(id)}
                  onChange={(event) =>
                    onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                  }
                />
              ))}
              {meta.total > engagements.length && (
                <Text size="xs" c="dimmed">
                  The first {engagements.length} of {meta.total} by name. The API takes the id of any.
                </Text>
              )}
            </Stack>
          </fieldset>
        )
      }
    </QueryView>
  )
}
