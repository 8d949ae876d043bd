import { Button, Checkbox, List, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { messageOf, query, useCommand } from '../api.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { toast } from '../ui/toast.ts'
import classes from './SafeModeBanner.module.css'
import { accountQuery } from './session.tsx'

type Pending = Output<'getSafeMode'>['data']['pending']

/** Poll interval, in milliseconds, to notice that another administrator has ended safe mode. */
const POLL_MS = 5_000
/** Offset at which pages start. */
const HEIGHT = '--app-banner-height'

/** Banner on every page while the instance sends nothing. Instance administrators end safe mode here. */
export const SafeModeBanner = () => {
  const account = useQuery({ ...accountQuery(), refetchInterval: ({ state }) => (state.data?.data.safeMode ? POLL_MS : false) }).data?.data
  if (!account?.safeMode) return null
  return <Banner {...account.safeMode} isAdmin={account.isInstanceAdmin} />
}

const Banner = ({ reason, isForced, isAdmin }: { reason: string; isForced: boolean; isAdmin: boolean }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Bar>
        <span className={classes.text}>
          <strong>Safe mode.</strong> No scans, API requests or mail leave this instance. {reason}
        </span>
        {isAdmin && !isForced && (
          <Button size="compact-sm" variant="white" color="dark" onClick={() => setAsking(true)}>
            Go live…
          </Button>
        )}
      </Bar>
      {isAsking && <GoLive onClose={() => setAsking(false)} />}
    </>
  )
}

/** Publishes its height to the page, because its text wraps in a narrow window. */
const Bar = ({ children }: { children: ReactNode }) => {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const measure = () => style.setProperty(HEIGHT, `${bar.current?.offsetHeight ?? 0}px`)
    const observer = new ResizeObserver(measure)
    if (bar.current) observer.observe(bar.current)
    measure()
    return () => {
      observer.disconnect()
      style.removeProperty(HEIGHT)
    }
  }, [])
  return (
    <section ref={bar} className={classes.banner} aria-label="Safe mode">
      {children}
    </section>
  )
}

const GoLive = ({ onClose }: { onClose: () => void }) => {
  const pending = useQuery(query(null, 'getSafeMode')).data?.data.pending
  const [sendWaitingMail, setSend] = useState(false)
  const end = useCommand(null, 'goLive', {
    invalidates: [
      [null, 'getAccount'],
      [null, 'getSafeMode'],
      [null, 'listMails'],
      [null, 'getInstance'],
    ],
    onSuccess: () => {
      toast('This instance is live.')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => end.mutate({ body: { sendWaitingMail } })}
      title="Go live?"
      confirmLabel="Go live"
      loading={end.isPending}
      error={end.error ? messageOf(end.error) : undefined}
    >
      <Stack gap="xs">
        <Text size="sm">
          Scans, API requests and mail leave this instance again. Go live only if the instance that it was copied from is switched off: otherwise both scan the
          same systems.
        </Text>
        {pending && <Consequences pending={pending} />}
        {pending && pending.oldMails > 0 && (
          <Checkbox label="Also send the mail from before" checked={sendWaitingMail} onChange={(event) => setSend(event.currentTarget.checked)} />
        )}
      </Stack>
    </ConfirmDialog>
  )
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`)

const Consequences = ({ pending: { newMails, oldMails, schedules, scans } }: { pending: Pending }) => {
  const lines = [
    ...(schedules > 0 ? [`${counted(schedules, 'One scan schedule starts', 'scan schedules start')} scans again, at the next time that is due.`] : []),
    ...(newMails > 0 ? [`${counted(newMails, 'One mail', 'mails')} written in safe mode: sent now.`] : []),
    ...(oldMails > 0 ? [`${counted(oldMails, 'One mail', 'mails')} from before: held under Instance, Mail outbox, unless you send it here.`] : []),
    ...(scans > 0 ? [`${counted(scans, 'One scan', 'scans')} from before that had not ended: not run.`] : []),
  ]
  if (lines.length === 0) return null
  return (
    <List size="sm">
      {lines.map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  )
}
