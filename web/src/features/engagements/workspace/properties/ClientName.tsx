import { useEffect, useState } from 'react'
import { ClientField } from '../../../../shell/fields/ClientField.tsx'

/** The client, saved when one is chosen, or when the name of a new one is entered. Escape restores the saved name. */
export const ClientName = ({ value, onTake }: { value: string; onTake: (name: string) => void }) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const take = (name: string) => {
    if (name.trim() !== value) onTake(name.trim())
  }
  return (
    <ClientField
      label="Client"
      value={text}
      onChange={setText}
      onOptionSubmit={take}
      onBlur={() => take(text)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') setText(value)
        // With an active option, Enter chooses that option.
        if (key === 'Enter' && !currentTarget.getAttribute('aria-activedescendant')) take(text)
      }}
    />
  )
}
