import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../api.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { keepPrevious } from '../../../ui/keep-previous.ts'
import type { Task } from '../words.tsx'
import { type LinkType, TYPE_LABELS } from './link-types.ts'

interface LinkPickerProps {
  task: Task
  onChoose: (link: { type: LinkType; id: string }) => Promise<void>
}

const DELAY_MS = 200

/** Finds an object of the engagement by its words, to link to it. */
export const LinkPicker = ({ task, onChoose }: LinkPickerProps) => {
  const organization = useOrganization()
  const [words, setWords] = useState('')
  const [q] = useDebouncedValue(words.trim(), DELAY_MS)
  const found = useQuery({
    ...query(organization.id, 'search', { query: { q, engagementId: task.engagementId } }),
    enabled: q !== '',
    placeholderData: keepPrevious([organization.id, 'search']),
  })
  const known = new Set([task.id, ...task.links.map(({ id }) => id)])
  const hits = (q === '' ? [] : (found.data?.data ?? [])).flatMap(({ type, id, title }) =>
    type === 'engagement' || known.has(id) ? [] : [{ type, id, title }],
  )
  return (
    <Select
      size="xs"
      maw={420}
      aria-label="Link to"
      placeholder="Link to a target, result, page, request or task"
      searchable
      data={hits.map(({ type, id, title }) => ({ value: id, label: `${TYPE_LABELS[type]}: ${title}` }))}
      // The server has chosen: its words may stand in the text of a page, and not in its title.
      filter={({ options }) => options}
      nothingFoundMessage={q === '' || found.isFetching ? undefined : 'Nothing with these words in this engagement'}
      value={null}
      searchValue={words}
      onSearchChange={setWords}
      onChange={(id) => {
        const chosen = hits.find((hit) => hit.id === id)
        if (chosen) void onChoose({ type: chosen.type, id: chosen.id }).then(() => setWords(''))
      }}
    />
  )
}
