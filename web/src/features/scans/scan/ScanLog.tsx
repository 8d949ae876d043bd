import { Button, Title } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useLayoutEffect, useRef } from 'react'
import { rows } from '../../../api/rows.ts'
import { SCAN_REFRESH_MS } from '../../../domain/scan-states.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { formatClock } from '../../../ui/dates/dates.ts'
import classes from '../scans.module.css'

type Line = Output<'listScanLog'>['data'][number]

const PER_PAGE = 100

/** Log of a scan, newest line at the bottom. Read from the end, so that new lines arrive first while it runs. */
export const ScanLog = ({ scanId, isRunning }: { scanId: string; isRunning: boolean }) => {
  const organization = useOrganization()
  const log = useParts(rows(organization.id, 'listScanLog', { params: { scanId }, query: { order: 'desc' } }), {
    perPage: PER_PAGE,
    refetchInterval: isRunning ? SCAN_REFRESH_MS : false,
  })
  return (
    <section aria-label="Log" className={classes.log}>
      <Title order={2}>Log</Title>
      <QueryView query={log}>
        {({ pages }) => (
          <Lines
            lines={pages.flatMap(({ data }) => data).toReversed()}
            earlier={
              log.hasNextPage && (
                <Button
                  variant="default"
                  size="compact-sm"
                  loading={log.isFetchingNextPage}
                  onClick={() => void log.fetchNextPage()}
                >
                  Earlier lines
                </Button>
              )
            }
          />
        )}
      </QueryView>
    </section>
  )
}

/** Within this distance of the bottom, the view follows new lines. */
const FOOT_PX = 40

const Lines = ({ lines, earlier }: { lines: readonly Line[]; earlier: React.ReactNode }) => {
  const scroller = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const last = lines.at(-1)
  useLayoutEffect(() => {
    if (last && follows.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [last])
  if (lines.length === 0) return <p className={classes.progress}>No entries yet.</p>
  return (
    <>
      {earlier && <div>{earlier}</div>}
      {/* Scrollable regions must be reachable by keyboard. */}
      <div
        ref={scroller}
        className={classes.lines}
        role="log"
        aria-label="Lines of the log"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < FOOT_PX
        }}
      >
        {lines.map(({ at, level, scanner, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines can be equal, and are only appended
          <div key={lines.length - index} className={classes.line} data-level={level}>
            <time dateTime={at}>{formatClock(at)}</time>
            <span>{scanner ?? 'scan'}</span>
            <span>
              {level !== 'info' && <b>{level === 'error' ? 'Error: ' : 'Warning: '}</b>}
              {text}
            </span>
          </div>
        ))}
      </div>
    </>
  )
}
