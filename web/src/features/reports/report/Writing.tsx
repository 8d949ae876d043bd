import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, Suspense, useState } from 'react'
import { query } from '../../../api/api.ts'
import type { Report } from '../../../domain/reports/report-words.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterTabs } from '../../../ui/lists/Filters.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Checks } from '../checks/Checks.tsx'
import { openProblems } from '../checks/problems.ts'
import { Outline } from '../outline/Outline.tsx'
import { Preview } from '../preview/Preview.tsx'
import classes from '../reports.module.css'
import { report as route } from '../reports.routes.ts'
import { LiveSection } from '../section/LiveSection.tsx'

/** With the editor, which findings and the wiki share. */
const TextSection = lazyPart(() => import('../section/TextSection.tsx'), 'TextSection')

type Pane = 'outline' | 'text' | 'preview' | 'checks'

interface WritingProps {
  report: Report
  mayChange: boolean
  /** Receives what saves the text that is typed into the open section. */
  finishRef: RefObject<(() => Promise<void>) | undefined>
}

/** The outline of a report, the open section, and its preview or the checks. In a narrow window they are tabs. */
export const Writing = ({ report, mayChange, finishRef }: WritingProps) => {
  const { id: organizationId } = useOrganization()
  const { section: wanted, side: wantedSide } = route.useSearch()
  const side = wantedSide ?? 'preview'
  const navigate = route.useNavigate()
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [pane, setPane] = useState<Pane>(wantedSide ?? 'text')
  /** Words to select once their section is open. */
  const [quote, setQuote] = useState<{ words: string; at: number }>()
  const checks = useQuery(query(organizationId, 'checkReport', { params: { reportId: report.id } }))
  const problems = openProblems(checks.data?.data ?? [])
  const { sections } = report
  const shown = sections.find(({ id }) => id === wanted) ?? sections[0]
  const open = async (sectionId: string, words?: string) => {
    await finishRef.current?.()
    setQuote(words === undefined ? undefined : { words, at: Date.now() })
    setPane('text')
    if (sectionId !== shown?.id) await navigate({ search: (rest) => ({ ...rest, section: sectionId }), replace: true })
  }
  const step = (by: 1 | -1) => {
    const next = sections[sections.findIndex(({ id }) => id === shown?.id) + by]
    if (next) void open(next.id)
  }
  const showSide = (next: 'preview' | 'checks') => {
    setPane(next)
    void navigate({ search: (rest) => ({ ...rest, side: next }), replace: true })
  }
  useShortcuts([
    { id: 'next-section', label: 'Next section', group: 'This page', shortcut: 'j', run: () => step(1) },
    { id: 'previous-section', label: 'Previous section', group: 'This page', shortcut: 'k', run: () => step(-1) },
    { id: 'show-checks', label: 'Show the checks', group: 'This page', shortcut: 'h', run: () => showSide('checks') },
    {
      id: 'show-preview',
      label: 'Show the preview',
      group: 'This page',
      shortcut: 'v',
      run: () => showSide('preview'),
    },
  ])
  const checksLabel = problems.length === 0 ? 'Checks' : `Checks ${problems.length.toLocaleString('en')}`
  const isSideShown = pane === 'preview' || pane === 'checks'
  return (
    <div className={classes.writing} data-pane={isSideShown ? 'side' : pane}>
      <div className={classes.tabs}>
        <FilterTabs
          label="Part of the page"
          value={pane === 'outline' && !isPhone ? 'text' : isSideShown ? side : pane}
          options={[
            ...(isPhone ? [{ value: 'outline' as const, label: 'Outline' }] : []),
            { value: 'text' as const, label: 'Text' },
            { value: 'preview' as const, label: 'Preview' },
            { value: 'checks' as const, label: checksLabel },
          ]}
          onChange={(next) => (next === 'preview' || next === 'checks' ? showSide(next) : setPane(next))}
        />
      </div>
      <Outline
        report={report}
        shownId={shown?.id}
        problems={problems}
        mayChange={mayChange}
        onOpen={(sectionId) => void open(sectionId)}
      />
      <div className={classes.middle}>
        {shown === undefined ? (
          <EmptyState title="No sections">Add a text, or a section that fills itself from the engagement.</EmptyState>
        ) : shown.kind === 'live' ? (
          <LiveSection key={shown.id} report={report} section={shown} mayChange={mayChange} />
        ) : (
          <Suspense fallback={<ListSkeleton rows={8} />}>
            <TextSection
              key={shown.id}
              report={report}
              section={shown}
              mayChange={mayChange}
              finishRef={finishRef}
              quote={quote}
            />
          </Suspense>
        )}
      </div>
      <div className={classes.aside}>
        <div className={classes.asideTabs}>
          <FilterTabs
            label="Next to the text"
            value={side}
            options={[
              { value: 'preview', label: 'Preview' },
              { value: 'checks', label: checksLabel },
            ]}
            onChange={showSide}
          />
        </div>
        {side === 'checks' ? (
          <Checks report={report} checks={checks} mayChange={mayChange} onOpen={open} />
        ) : (
          <Preview report={report} shown={shown} />
        )}
      </div>
    </div>
  )
}
