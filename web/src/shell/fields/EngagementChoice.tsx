import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { useOrganization } from '../context/organization.tsx'
import { QueryView } from '../reads/QueryView.tsx'
import classes from './EngagementChoice.module.css'

/** Engagements of a key or webhook as in the API, but undefined for every engagement. */
export type ChosenEngagements = 'open' | readonly string[] | undefined

/** API limit. */
const MAX_LISTED = 100

interface Props {
  value: ChosenEngagements
  onChange: (value: ChosenEngagements) => void
  /** What the choice of single engagements means. */
  listedHint: string
  error: string | undefined
}

export const EngagementChoice = ({ value, onChange, listedHint, error }: Props) => (
  <Stack gap={8}>
    <Radio.Group
      label="Engagements"
      value={value === undefined ? 'all' : value === 'open' ? 'open' : 'listed'}
      onChange={(choice) => onChange(choice === 'all' ? undefined : choice === 'open' ? 'open' : [])}
      error={error}
    >
      <Stack gap={6} mt={6}>
        <Radio value="open" label="Shared with the whole organization" />
        <Radio value="listed" label="Only these" description={listedHint} />
        <Radio value="all" label="Every engagement" description="Including those that only their team sees." />
      </Stack>
    </Radio.Group>
    {typeof value === 'object' && <EngagementList chosen={value} onChange={onChange} />}
  </Stack>
)

/** Checkboxes for single engagements. */
export const EngagementList = ({
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
          <fieldset className={classes.group}>
            <legend>Engagements</legend>
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
              {missing(chosen, engagements) > 0 && (
                <Text size="xs" c="dimmed">
                  {missing(chosen, engagements)} more {missing(chosen, engagements) === 1 ? 'is' : 'are'} chosen that
                  this list does not show.
                </Text>
              )}
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

const missing = (chosen: readonly string[], shown: readonly { id: string }[]): number =>
  chosen.filter((id) => !shown.some((engagement) => engagement.id === id)).length
