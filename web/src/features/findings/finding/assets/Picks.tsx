import { Checkbox, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import classes from '../../findings.module.css'

/** More are found by words. */
const OFFERED = 100
const TYPING_MS = 200

interface PicksProps {
  engagementId: string
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}

export const PickTargets = ({ engagementId, ...picks }: PicksProps) => {
  const { id } = useOrganization()
  const [words, setWords] = useState('')
  const [q] = useDebouncedValue(words.trim(), TYPING_MS)
  const { data } = useQuery({
    ...query(id, 'listTargets', {
      query: { engagementId, perPage: OFFERED, sort: 'canonical', order: 'asc', ...(q && { q }) },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Picks
      label="Targets"
      words={words}
      onType={setWords}
      options={data?.data.map((target) => ({ id: target.id, label: target.value }))}
      {...picks}
    />
  )
}

/** Vulnerabilities, worst first. */
export const PickResults = ({ engagementId, ...picks }: PicksProps) => {
  const { id } = useOrganization()
  const [words, setWords] = useState('')
  const [q] = useDebouncedValue(words.trim(), TYPING_MS)
  const { data } = useQuery({
    ...query(id, 'listResults', {
      query: {
        engagementId,
        kind: ['vulnerability'],
        perPage: OFFERED,
        sort: 'severity',
        order: 'desc',
        ...(q && { q }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Picks
      label="Results"
      words={words}
      onType={setWords}
      options={data?.data.map((result) => ({ id: result.id, label: result.title, detail: result.asset }))}
      {...picks}
    />
  )
}

interface Option {
  id: string
  label: string
  detail?: string
}

interface ListProps extends Omit<PicksProps, 'engagementId'> {
  label: string
  words: string
  onType: (words: string) => void
  options: readonly Option[] | undefined
}

const Picks = ({ label, words, onType, options = [], chosen, onChange }: ListProps) => (
  <>
    <TextInput
      label={`Search ${label.toLowerCase()}`}
      value={words}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      data-autofocus
    />
    <ul className={classes.picks} aria-label={label}>
      {options.map((option) => (
        <li key={option.id}>
          <Checkbox
            label={
              <>
                {option.label} <span className="mono">{option.detail}</span>
              </>
            }
            checked={chosen.includes(option.id)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, option.id] : chosen.filter((id) => id !== option.id))
            }
          />
        </li>
      ))}
    </ul>
    <Text size="xs" c="dimmed">
      {chosen.length > 0 && `${chosen.length.toLocaleString('en')} selected. `}
      {options.length === OFFERED
        ? `The first ${OFFERED} are listed: search for others.`
        : options.length === 0
          ? 'None found.'
          : ''}
    </Text>
  </>
)
