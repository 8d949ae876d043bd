import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Icon } from '../icons.tsx'

/** An action of the page: an entry of the palette and the shortcut sheet. */
export interface Command {
  id: string
  label: string
  /** Section in the palette and the shortcut sheet: its scope. */
  group: string
  icon?: Icon
  /** Synonyms for search. */
  keywords?: string
  /** `c`, `/`, or a sequence of keys: `g t`. */
  shortcut?: string
  /** Absent: only documented, because the focused element handles the key itself. */
  run?: () => void
}

let registered: readonly Command[] = []
const listeners = new Set<() => void>()

const change = (next: readonly Command[]): void => {
  registered = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is offered under the same id later, by a part of the page, takes the place of what the page offers. */
const effective = (): readonly Command[] => [...new Map(registered.map((command) => [command.id, command])).values()]

/** Everything that can be done on the open page. */
export const useRegisteredCommands = (): readonly Command[] => {
  useSyncExternalStore(subscribe, () => registered)
  return effective()
}

/**
 * Registers commands while this component is mounted. `run` is always from the last render; other properties are read
 * when the id first appears.
 */
export const useShortcuts = (commands: readonly Command[]): void => {
  const latest = useRef(commands)
  latest.current = commands
  const ids = commands.map(({ id }) => id).join(' ')
  useEffect(() => {
    const offered = latest.current.map((command): Command => ({
      ...command,
      ...(command.run && { run: () => latest.current.find(({ id }) => id === command.id)?.run?.() }),
    }))
    change([...registered, ...offered])
    return () => change(registered.filter((command) => !offered.includes(command)))
  }, [ids])
}
