import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../../api/api.ts'
import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { keepPrevious } from '../../../../ui/lists/keep-previous.ts'
import type { Finding } from '../../labels.ts'

const OFFERED = 20
const QUIET_MS = 200

interface RetestOfProps {
  finding: Finding
  disabled: boolean
  onChange: (findingId: string | null) => void
}

/** Chooses the finding of another engagement of the same client that this one retests, and links it. */
export const RetestOfField = ({ finding: { engagementId, retestOf }, disabled, onChange }: RetestOfProps) => {
  const { id, slug } = useOrganization()
  const { clientId } = useEngagement().details
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const earlier = useQuery({
    ...query(id, 'getFinding', { params: { findingId: retestOf ?? '' } }),
    enabled: retestOf !== null,
    retry: false,
    staleTime: 60_000,
  })
  const current = retestOf === null ? undefined : earlier.data?.data
  const [q] = useDebouncedValue(typed === current?.title ? '' : typed.trim(), QUIET_MS)
  const { data } = useQuery({
    ...query(id, 'listFindings', {
      query: {
        sort: 'updatedAt',
        order: 'desc',
        perPage: OFFERED,
        ...(clientId !== null && { clientId: [clientId] }),
        ...(q && { q: q.slice(0, 200) }),
      },
    }),
    placeholderData: keepPrevious([id, 'listFindings']),
    enabled: isOpen,
  })
  const titles = new Map(
    (data?.data ?? []).filter((other) => other.engagementId !== engagementId).map((other) => [other.id, other.title]),
  )
  if (retestOf !== null) titles.set(retestOf, current?.title ?? retestOf)
  return (
    <Select
      label="Retest of"
      {...(current && {
        description: (
          <TextLink to={paths.findingById(slug, current.id)}>
            {current.number} {current.title}
          </TextLink>
        ),
      })}
      placeholder="A finding of an earlier engagement"
      data={[...titles].map(([findingId, title]) => ({ value: findingId, label: title }))}
      value={retestOf}
      searchable
      clearable
      disabled={disabled}
      // The server searches.
      filter={({ options }) => options}
      onDropdownOpen={() => setIsOpen(true)}
      onSearchChange={setTyped}
      onChange={onChange}
      nothingFoundMessage="No finding of another engagement matches"
    />
  )
}
