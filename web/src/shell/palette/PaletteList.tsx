import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { IconSearch } from '../../ui/icons.tsx'
import { type PaletteCommand, usePaletteCommands } from './commands.tsx'
import classes from './palette.module.css'
import type { Typed } from './typed.ts'
import { useFoundObjects } from './use-found-objects.ts'

const MAX_SHOWN = 40

/** The search field and its list, as one combobox for screen readers. */
export const PaletteList = ({ typed, onDone }: { typed: Typed; onDone: () => void }) => {
  const id = useId()
  const { commands, isLoading, searchFor } = usePaletteCommands()
  const [text, setText] = useState(typed.text)
  const [selected, setSelected] = useState(0)
  const [isEntered, setEntered] = useState(typed.isEntered)
  const list = useRef<HTMLUListElement>(null)
  const known = commands
    .filter((command) => matches(command, text))
    .toSorted((a, b) => closeness(b, text) - closeness(a, text))
    .slice(0, MAX_SHOWN)
  const wanted = text.trim()
  const search = useFoundObjects(wanted)
  const found = search.found.filter((hit) => !known.some((command) => command.id === hit.id))
  // Server hits go last, so that existing entries do not move when they arrive; where there are none, Enter opens the
  // best hit.
  const ofServer = wanted !== '' && searchFor ? [searchFor(wanted), ...found] : []
  const isOnlyServer = known.length === 0
  const matching = isOnlyServer ? [...ofServer.slice(1), ...ofServer.slice(0, 1)] : [...known, ...ofServer]
  const current = Math.min(selected, matching.length - 1)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const run = (command: PaletteCommand | undefined) => {
    if (!command) return
    onDone()
    command.run()
  }
  // Enter before the engagements and members, or the only hits, are loaded is kept until they are.
  // oxlint-disable-next-line react/exhaustive-deps -- its input changes with each render; it stops once Enter is handled
  useEffect(() => {
    if (!isEntered || ((isLoading || search.isWaiting) && isOnlyServer)) return
    setEntered(false)
    run(matching[current])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setSelected((current + step + matching.length) % Math.max(1, matching.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      setEntered(true)
    }
  }
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          className={classes.input}
          role="combobox"
          aria-label="Search pages, engagements, members and actions"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(matching.length > 0 && { 'aria-activedescendant': `${id}-${current}` })}
          placeholder="Search or go to"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setSelected(0)
          }}
          onKeyDown={onKeyDown}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <ul ref={list} id={`${id}-list`} className={classes.list} role="listbox" aria-label="Results">
        {matching.map((command, index) => (
          <Fragment key={command.id}>
            {command.chapter !== undefined && command.chapter !== matching[index - 1]?.chapter && (
              <li role="presentation" className={classes.chapter}>
                {command.chapter}
              </li>
            )}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above handles the keys */}
            <li
              id={`${id}-${index}`}
              className={classes.option}
              role="option"
              aria-selected={index === current}
              onClick={() => run(command)}
              onMouseMove={() => setSelected(index)}
            >
              <command.icon size={16} stroke={1.7} aria-hidden />
              <span className={classes.label}>{command.label}</span>
              <span className={classes.group}>{command.group}</span>
            </li>
          </Fragment>
        ))}
      </ul>
      <div role="status" className={matching.length === 0 ? classes.none : 'visually-hidden'}>
        {matching.length === 0 ? `Nothing matches “${text}”.` : `${matching.length} results`}
      </div>
    </>
  )
}

/** True if every word occurs in the command. */
const matches = ({ label, group, keywords = '' }: PaletteCommand, text: string): boolean => {
  const haystack = `${label} ${group} ${keywords}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word))
}

/** Ranks exact labels first, then prefixes, then matches by keywords or group. */
const closeness = ({ label }: PaletteCommand, text: string): number => {
  const [name, wanted] = [label.toLowerCase(), text.trim().toLowerCase()]
  if (wanted === '') return 0
  if (name === wanted) return 3
  return name.startsWith(wanted) ? 2 : Number(name.includes(wanted))
}
