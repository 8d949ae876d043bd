import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { IconSearch } from '../../ui/icons.tsx'

const DELAY_MS = 250

/** Filters a list while the user types. */
export const SearchField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  const report = useDebouncedCallback(onChange, DELAY_MS)
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      type="search"
      size="xs"
      w={280}
      maw="100%"
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value)
        report(event.currentTarget.value.trim())
      }}
    />
  )
}
