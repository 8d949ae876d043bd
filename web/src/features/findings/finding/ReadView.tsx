import { Tabs } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { CommentsPanel } from '../../../shell/comments/quotes/CommentsPanel.tsx'
import type { WantedQuote } from '../../../shell/comments/quotes/quotable.ts'
import { useCommentKeys } from '../../../shell/comments/quotes/use-comment-keys.ts'
import { useReadNotices } from '../../../shell/comments/use-read-notices.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { IconMessage, IconPencil } from '../../../ui/page-icons.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import classes from '../findings.module.css'
import { finding as route } from '../findings.routes.ts'
import type { Finding } from '../labels.ts'
import { FirstAssets } from './assets/FirstAssets.tsx'
import commentClasses from './comments/comments.module.css'
import { quoteOf } from './comments/quotes.ts'
import { SelectionTools } from './comments/SelectionTools.tsx'
import { selectedIn } from './comments/text-ranges.ts'
import { useFindingComments } from './comments/use-finding-comments.ts'
import { useMarks } from './comments/use-marks.ts'
import { Evidence } from './evidence/Evidence.tsx'
import { Proofs } from './proofs/Proofs.tsx'
import { FindingProperties } from './properties/FindingProperties.tsx'
import { FindingTexts } from './texts/FindingTexts.tsx'

interface ReadViewProps {
  finding: Finding
  mayChange: boolean
  address: string
}

/** The texts of a finding, with its properties or its comments next to them. */
export const ReadView = ({ finding, mayChange, address }: ReadViewProps) => {
  const { side } = route.useSearch()
  const navigate = route.useNavigate()
  const isNamed = useLocation({ select: ({ hash }) => hash.startsWith('cmt_') })
  const texts = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<WantedQuote>()
  const { of, queue } = useFindingComments(finding)
  useReadNotices({ type: 'finding', id: finding.id })
  const shown = side ?? (isNamed ? 'comments' : 'properties')
  const show = (panel: 'properties' | 'comments') =>
    void navigate({ search: (before) => ({ ...before, side: panel }), replace: true })
  const activate = (id: string) => {
    queue.activate(id)
    show('comments')
  }
  const onMark = useMarks(texts, finding, queue.open, shown === 'comments' ? queue.active : undefined, activate)

  const write = (isSuggestion: boolean) => {
    const selected = texts.current ? selectedIn(texts.current) : undefined
    if (!selected && isSuggestion) return toastError('Select the words to change first.')
    const quote = selected && quoteOf(finding[selected.section], selected)
    if (selected && quote === undefined)
      return toastError('These words cannot be quoted. Select words of the text, at most 5,000 characters.')
    setWanted({ section: selected?.section ?? '', quote: quote ?? '', isSuggestion })
    document.getSelection()?.removeAllRanges()
    return show('comments')
  }
  useCommentKeys(queue, { mayChange, onMove: () => show('comments') })
  useShortcuts(
    mayChange
      ? [
          {
            id: 'comment-write',
            label: 'Comment on the selected words',
            group: 'Comments',
            icon: IconMessage,
            shortcut: 'c',
            run: () => write(false),
          },
          {
            id: 'comment-suggest',
            label: 'Suggest a change of the selected words',
            group: 'Comments',
            icon: IconPencil,
            shortcut: 's',
            run: () => write(true),
          },
        ]
      : [],
  )
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- J and K reach every mark */}
        <div ref={texts} className={commentClasses.texts} onClick={onMark}>
          <FindingTexts finding={finding} mayChange={mayChange} editTo={`${address}?view=edit`} />
          {mayChange && <SelectionTools texts={texts} onComment={() => write(false)} onSuggest={() => write(true)} />}
        </div>
        <FirstAssets finding={finding} mayChange={mayChange} to={`${address}?view=assets`} />
        {finding.trashedAt === null && <Evidence findingId={finding.id} isReadOnly={!mayChange} />}
        <Proofs finding={finding} mayChange={mayChange} />
      </div>
      <Tabs
        className={commentClasses.side}
        value={shown}
        onChange={(panel) => show(panel === 'comments' ? panel : 'properties')}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="properties">Properties</Tabs.Tab>
          <Tabs.Tab value="comments">
            Comments{' '}
            {queue.open.length > 0 && <span className={classes.count}>{queue.open.length.toLocaleString('en')}</span>}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="properties">
          <FindingProperties finding={finding} mayChange={mayChange} />
        </Tabs.Panel>
        <Tabs.Panel value="comments">
          <CommentsPanel of={of} queue={queue} mayWrite={mayChange} wanted={wanted} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}
