import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type RefObject, Suspense, useRef, useState } from 'react'
import { query } from '../../../api/api.ts'
import type { Report } from '../../../domain/reports/report-words.tsx'
import { useReadNotices } from '../../../shell/comments/use-read-notices.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { FilterTabs } from '../../../ui/lists/Filters.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import type { OpenEditor } from '../../../ui/text-editor/code-editor.ts'
import { Checks } from '../checks/Checks.tsx'
import { openProblems } from '../checks/problems.ts'
import { CommentsPane } from '../comments/CommentsPane.tsx'
import { useReportComments } from '../comments/use-report-comments.ts'
import { Outline } from '../outline/Outline.tsx'
import { Preview } from '../preview/Preview.tsx'
import classes from '../reports.module.css'
import { report as route } from '../reports.routes.ts'
import { LiveSection } from '../section/LiveSection.tsx'

/** With the editor, which findings and the wiki share. */
const TextSection = lazyPart(() => import('../section/TextSection.tsx'), 'TextSection')

type Side = 'preview' | 'checks' | 'comments'
type Pane = 'outline' | 'text' | Side

interface WritingProps {
  report: Report
  mayChange: boolean
  /** Receives what saves the text that is typed into the open section. */
  finishRef: RefObject<(() => Promise<void>) | undefined>
}

/** The outline of a report, the open section, and its preview, checks or comments. In a narrow window they are tabs. */
export const Writing = ({ report, mayChange, finishRef }: WritingProps) => {
  const { id: organizationId } = useOrganization()
  const { section: wanted, side: wantedSide } = route.useSearch()
  const isCommentNamed = useLocation({ select: ({ hash }) => hash.startsWith('cmt_') })
  const side = wantedSide ?? (isCommentNamed ? 'comments' : 'preview')
  const navigate = route.useNavigate()
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [pane, setPane] = useState<Pane>(wantedSide ?? (isCommentNamed ? 'comments' : 'text'))
  /** Words to select once their section is open. */
  const [quote, setQuote] = useState<{ words: string; at: number }>()
  const selectionRef = useRef<OpenEditor['selection']>(undefined)
  const comments = useReportComments(report)
  useReadNotices({ type: 'report', id: report.id })
  const checks = useQuery(query(organizationId, 'checkReport', { params: { reportId: report.id } }))
  const problems = openProblems(checks.data?.data ?? [])
  const { sections } = report
  const shown = sections.find(({ id }) => id === wanted) ?? sections[0]
  const open = async (sectionId: string, words?: string) => {
    await finishRef.current?.()
    setQuote(words === undefined ? undefined : { words, at: Date.now() })
    setPane('text')
    // The side too: the navigation drops the name of the comment, which may be what chose it.
    if (sectionId !== shown?.id)
      await navigate({ search: (rest) => ({ ...rest, side, section: sectionId }), replace: true })
  }
  const step = (by: 1 | -1) => {
    const next = sections[sections.findIndex(({ id }) => id === shown?.id) + by]
    if (next) void open(next.id)
  }
  const showSide = (next: Side) => {
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
    {
      id: 'show-comments',
      label: 'Show the comments',
      group: 'This page',
      shortcut: 'm',
      run: () => showSide('comments'),
    },
  ])
  const checksLabel = problems.length === 0 ? 'Checks' : `Checks ${problems.length.toLocaleString('en')}`
  const openComments = comments.queue.open.length
  const commentsLabel = openComments === 0 ? 'Comments' : `Comments ${openComments.toLocaleString('en')}`
  const isSide = (one: Pane): one is Side => one !== 'outline' && one !== 'text'
  const isSideShown = isSide(pane)
  const sides = [
    { value: 'preview' as const, label: 'Preview' },
    { value: 'checks' as const, label: checksLabel },
    { value: 'comments' as const, label: commentsLabel },
  ]
  return (
    <div className={classes.writing} data-pane={isSideShown ? 'side' : pane}>
      <div className={classes.tabs}>
        <FilterTabs
          label="Part of the page"
          value={pane === 'outline' && !isPhone ? 'text' : isSideShown ? side : pane}
          options={[
            ...(isPhone ? [{ value: 'outline' as const, label: 'Outline' }] : []),
            { value: 'text' as const, label: 'Text' },
            ...sides,
          ]}
          onChange={(next) => (isSide(next) ? showSide(next) : setPane(next))}
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
          <EmptyState title="No sections">
            {mayChange
              ? 'Add a text, or a section that fills itself from the engagement.'
              : 'The engagement is archived, and this report was left without sections.'}
          </EmptyState>
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
              selectionRef={selectionRef}
              quote={quote}
            />
          </Suspense>
        )}
      </div>
      <div className={classes.aside}>
        <div className={classes.asideTabs}>
          <FilterTabs label="Next to the text" value={side} options={sides} onChange={showSide} />
        </div>
        {side === 'checks' ? (
          <Checks report={report} checks={checks} mayChange={mayChange} onOpen={open} />
        ) : side === 'comments' ? (
          <CommentsPane
            {...comments}
            shownId={shown?.kind === 'text' ? shown.id : undefined}
            mayChange={mayChange}
            selectionRef={selectionRef}
            save={async () => finishRef.current?.()}
            onOpen={open}
          />
        ) : (
          <Preview report={report} shown={shown} />
        )}
      </div>
    </div>
  )
}
