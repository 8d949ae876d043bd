import { Button, Group, Kbd, Stack, Text, Textarea, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { query } from '../../../../api/api.ts'
import { RemediationLabel } from '../../../../domain/finding-words.tsx'
import { SeverityLabel } from '../../../../domain/SeverityLabel.tsx'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { Person } from '../../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import { Sections, textsOf } from '../../finding/texts/FindingTexts.tsx'
import { OUTCOME_KEYS, OUTCOME_LABELS, OutcomeLabel, OUTCOMES, type Retest, type RetestItem } from '../retest-words.tsx'
import classes from '../retests.module.css'
import { ProofSection } from './proof/ProofSection.tsx'
import type { Started } from './proof/run-item.ts'
import { useOutcome } from './use-outcome.ts'

interface ItemDetailProps {
  retest: Retest
  item: RetestItem
  mayChange: boolean
  started: Started | undefined
  onStarted: (started: Started) => void
  /** Called with an outcome, to go on. */
  onOutcome: () => void
  /** Called when an outcome is undone. */
  onReturn: () => void
}

/** One item: its outcome and note, the proof, and the texts of its finding. */
export const ItemDetail = ({
  retest,
  item,
  mayChange: mayChangeRetest,
  started,
  onStarted,
  onOutcome,
  onReturn,
}: ItemDetailProps) => {
  const organization = useOrganization()
  const { finding } = item
  const mayChange = mayChangeRetest && finding.trashedAt === null
  const { set, setNote } = useOutcome(item, onReturn)
  const note = useRef<HTMLTextAreaElement>(null)
  const read = useQuery(query(organization.id, 'getFinding', { params: { findingId: item.findingId } }))
  const choose = (outcome: RetestItem['outcome']) => {
    set(outcome)
    if (outcome !== null) onOutcome()
  }
  useShortcuts(
    mayChange
      ? [
          ...OUTCOMES.map((outcome) => ({
            id: `outcome-${outcome}`,
            label: `Outcome: ${OUTCOME_LABELS[outcome].toLowerCase()}`,
            group: 'This page',
            shortcut: OUTCOME_KEYS[outcome].toLowerCase(),
            run: () => choose(outcome),
          })),
          {
            id: 'outcome-none',
            label: 'Remove the outcome',
            group: 'This page',
            shortcut: 'u',
            run: () => choose(null),
          },
          {
            id: 'item-note',
            label: 'Write a note',
            group: 'This page',
            shortcut: 'm',
            run: () => note.current?.focus(),
          },
        ]
      : [],
  )
  return (
    <section className={classes.detail} aria-label={item.asset ?? finding.title}>
      <Stack gap="lg">
        <Stack gap={6}>
          <Title order={2} className={classes.title}>
            <TextLink
              to={paths.finding(organization.slug, retest.engagementId, item.findingId)}
              className={classes.name as string}
            >
              {finding.number} {finding.title}
            </TextLink>
          </Title>
          {item.asset !== null && <div className={`${classes.asset} mono`}>{item.asset}</div>}
          <Group gap="md">
            <SeverityLabel severity={finding.severity} />
            {item.status === null ? <Text size="sm">Asset removed</Text> : <RemediationLabel status={item.status} />}
            {item.by && (
              <Text size="sm" component="span">
                <Person name={item.by.name} /> {item.at !== null && <TimeAgo iso={item.at} />}
              </Text>
            )}
          </Group>
        </Stack>
        {finding.trashedAt !== null && (
          <Text size="sm">This finding is in the trash. Restore it to set an outcome.</Text>
        )}
        <Stack gap="xs">
          {mayChange ? (
            <div className={classes.outcomes} role="group" aria-label="Outcome">
              {OUTCOMES.map((outcome) => (
                <Button
                  key={outcome}
                  size="compact-sm"
                  variant={item.outcome === outcome ? 'light' : 'default'}
                  aria-pressed={item.outcome === outcome}
                  rightSection={<Hint>{OUTCOME_KEYS[outcome]}</Hint>}
                  onClick={() => choose(item.outcome === outcome ? null : outcome)}
                >
                  {OUTCOME_LABELS[outcome]}
                </Button>
              ))}
            </div>
          ) : (
            <OutcomeLabel outcome={item.outcome} />
          )}
          {mayChange ? (
            <Note ref={note} value={item.note} onTake={setNote} />
          ) : (
            item.note && <Text size="sm">{item.note}</Text>
          )}
        </Stack>
        <QueryView query={read} skeleton={<ListSkeleton rows={8} height={24} />}>
          {({ data }) => (
            <>
              <ProofSection
                finding={data}
                item={item}
                retest={retest}
                mayChange={mayChange}
                started={started}
                onStarted={onStarted}
              />
              <Sections finding={data} texts={textsOf(data)} />
            </>
          )}
        </QueryView>
      </Stack>
    </section>
  )
}

interface NoteProps {
  ref: React.RefObject<HTMLTextAreaElement | null>
  value: string
  onTake: (note: string) => void
}

/** Saved when it is left, with Ctrl+Enter or Escape. */
const Note = ({ ref, value, onTake }: NoteProps) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const latest = useRef({ text, value, onTake })
  latest.current = { text, value, onTake }
  const take = () => {
    const { text: typed, value: saved, onTake: save } = latest.current
    if (typed.trim() !== saved) save(typed.trim())
  }
  // Another item may be opened by mouse while the note has the focus.
  useEffect(() => () => take(), [])
  return (
    <Textarea
      ref={ref}
      label="Note"
      description="What you saw, for the report. M writes it, Escape leaves it."
      autosize
      minRows={1}
      maxRows={6}
      maxLength={500}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
        event.preventDefault()
        event.stopPropagation()
        event.currentTarget.blur()
      }}
    />
  )
}

const Hint = ({ children }: { children: string }) => (
  <Kbd size="xs" className={classes.hint} aria-hidden>
    {children}
  </Kbd>
)
