import { useEffect, useRef, useState } from 'react'
import { ClientField, useClientNames } from '../../../../shell/fields/ClientField.tsx'

/**
 * The client, saved when one is chosen. A name that no client has creates one with Enter only, so that a half-typed
 * name does not. Escape restores the saved name.
 */
export const ClientName = ({ value, onTake }: { value: string; onTake: (name: string) => void }) => {
  const [text, setText] = useState(value)
  const [isLeft, setLeft] = useState(false)
  const names = useClientNames(text)
  useEffect(() => setText(value), [value])
  const take = (name: string) => {
    if (name.trim() !== value) onTake(name.trim())
  }
  // The names of a text that was typed last arrive after the field was left.
  const isNew = text.trim() !== '' && text.trim() !== value && !names.some((name) => isSame(name, text))
  const latest = useRef(() => {})
  latest.current = () => take(text)
  useEffect(() => {
    if (isLeft && !isNew) latest.current()
  }, [isLeft, isNew])
  return (
    <ClientField
      label="Client"
      value={text}
      error={isLeft && isNew && 'No client has this name yet. Press Enter to create it, or Escape to keep the client.'}
      onChange={setText}
      onOptionSubmit={take}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') setText(value)
        // With an active option, Enter chooses that option.
        if (key === 'Enter' && !currentTarget.getAttribute('aria-activedescendant')) take(text)
      }}
    />
  )
}

const isSame = (name: string, text: string) => name.toLowerCase() === text.trim().toLowerCase()
