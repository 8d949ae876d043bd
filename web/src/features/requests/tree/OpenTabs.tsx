import { CloseButton } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { type RequestSummary, usePlace } from '../place.tsx'
import classes from '../requests.module.css'
import { Method } from './Method.tsx'

/** More would be too narrow to read. */
const MAX_TABS = 12

/**
 * Requests that are open in this browser tab, in the order in which they were opened. Unsaved text is kept as a draft.
 */
export const OpenTabs = ({ requestId, requests }: { requestId: string; requests: readonly RequestSummary[] }) => {
  const { engagementId, organizationId, addressOf, home } = usePlace()
  const navigate = useNavigate()
  const [ids, setIds] = useSessionStorage<string[]>({
    key: `sortie.requests.${engagementId ?? organizationId}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  useEffect(() => {
    setIds((before) => (before.includes(requestId) ? before : [...before, requestId].slice(-MAX_TABS)))
  }, [requestId, setIds])
  const open = ids.flatMap((id) => requests.find((request) => request.id === id) ?? [])
  const place = open.findIndex(({ id }) => id === requestId)
  const close = (id: string) => {
    setIds((before) => before.filter((other) => other !== id))
    if (id !== requestId) return
    const next = open[place + 1] ?? open[place - 1]
    void navigate({ to: next ? addressOf(next.id) : home })
  }
  const step = (by: number) => {
    const next = open[(place + by + open.length) % open.length]
    if (next) void navigate({ to: addressOf(next.id) })
  }
  useShortcuts([
    { id: 'next-request', label: 'Next open request', group: 'This page', shortcut: ']', run: () => step(1) },
    { id: 'previous-request', label: 'Previous open request', group: 'This page', shortcut: '[', run: () => step(-1) },
  ])
  if (open.length < 2) return null
  return (
    <nav className={classes.tabs} aria-label="Open requests">
      {open.map(({ id, name, method }) => (
        <span
          key={id}
          className={classes.tab}
          data-open={id === requestId || undefined}
          onAuxClick={(event) => {
            if (event.button !== 1) return
            event.preventDefault()
            close(id)
          }}
        >
          <PlainLink to={addressOf(id)} isExact hint={name}>
            <Method method={method} />
            {name}
          </PlainLink>
          <CloseButton size="xs" aria-label={`Close ${name}`} onClick={() => close(id)} />
        </span>
      ))}
    </nav>
  )
}
