import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Icon } from './icons.tsx'

/** Something that can be done here: an entry of the palette and of the sheet of keys. */
export interface Command {
  id: string
  label: string
  /** Its chapter in the palette and in the sheet: where it applies. */
  group: string
  icon?: Icon
  /** Other words that find it. */
  keywords?: string
  /** `c`, `/`, or keys one after the other: `g t`. */
  shortcut?: string
  /** Absent: only told of, since what has the focus handles the key itself. */
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

/** Everything that the open page has registered. */
export const useRegisteredCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => registered)

/**
 * Offers commands while this component is shown. `run` is always that of the last render; what else is said of a command
 * is read when its id appears.
 */
export const useCommands = (commands: readonly Command[]): void => {
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
