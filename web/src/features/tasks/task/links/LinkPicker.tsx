import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { Task } from '../../labels.tsx'
import { type LinkType, TYPE_LABELS } from './link-types.ts'
import { useLinkable } from './use-linkable.ts'

interface LinkPickerProps {
  task: Task
  hasFocus: boolean
  onChoose: (link: { type: LinkType; id: string }) => Promise<void>
}

const DELAY_MS = 200

/** Finds an object of the engagement or organization to link to a task. */
export const LinkPicker = ({ task, hasFocus, onChoose }: LinkPickerProps) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [hasFocus])
  const [words, setWords] = useState('')
  const [q] = useDebouncedValue(words.trim(), DELAY_MS)
  const { found, isFetching } = useLinkable(task.engagementId, q)
  const known = new Set([task.id, ...task.links.map(({ id }) => id)])
  const hits = found.filter(({ id }) => !known.has(id))
  return (
    <Select
      ref={field}
      size="xs"
      maw={420}
      aria-label="Link to"
      placeholder="Link to a target, result, page, request, scan or task"
      searchable
      data={hits.map(({ type, id, title }) => ({ value: id, label: `${TYPE_LABELS[type]}: ${title}` }))}
      // No client-side filter: the server may match the text of a page instead of its title.
      filter={({ options }) => options}
      nothingFoundMessage={q === '' || isFetching ? undefined : 'No match in this engagement or the organization'}
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
