import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { FINDING_STATE_LABELS, SECTION_LABELS } from '../../../domain/finding-words.tsx'
import type { Report } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { IconShieldCheck } from '../../../ui/icons.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { AddWord } from './AddWord.tsx'
import classes from './checks.module.css'
import { FindingName } from './FindingName.tsx'
import { byMessage, CODE_LABELS, keyOf, openProblems, type Problem } from './problems.ts'
import { WaiveDialog } from './WaiveDialog.tsx'

interface ChecksProps {
  report: Report
  checks: UseQueryResult<{ data: Problem[] }>
  mayChange: boolean
  /** Opens a section, and selects words of it. */
  onOpen: (sectionId: string, words?: string) => Promise<void>
}

/** What must be fixed before delivery, what should be, and what was waived. */
export const Checks = ({ report, checks, mayChange, onOpen }: ChecksProps) => {
  const [waiving, setWaiving] = useState<Problem>()
  return (
    <section className={classes.checks} aria-label="Checks">
      <QueryView query={checks} skeleton={<ListSkeleton rows={5} height={56} />}>
        {({ data }) => {
          const open = openProblems(data)
          const group = (title: string, problems: readonly Problem[]) =>
            problems.length > 0 && (
              <div className={classes.group}>
                <h2>
                  {title} <span>{problems.length.toLocaleString('en')}</span>
                </h2>
                <ul>
                  {byMessage(problems).map((same) => (
                    <Same
                      key={same.map(keyOf).join()}
                      report={report}
                      problems={same}
                      onOpen={onOpen}
                      {...(mayChange && { onWaive: setWaiving })}
                    />
                  ))}
                </ul>
              </div>
            )
          return (
            <>
              {open.length === 0 && (
                <EmptyState icon={<IconShieldCheck size={32} stroke={1.4} />} title="Nothing to fix">
                  The checks look for unfinished text, unknown placeholders, secrets, names of other clients, findings
                  that are not approved, and more.
                </EmptyState>
              )}
              {group(
                'Errors',
                open.filter(({ level }) => level === 'error'),
              )}
              {group(
                'Warnings',
                open.filter(({ level }) => level === 'warning'),
              )}
              {group(
                'Waived',
                data.filter(({ waived }) => waived !== null),
              )}
            </>
          )
        }}
      </QueryView>
      {waiving && <WaiveDialog report={report} problem={waiving} onClose={() => setWaiving(undefined)} />}
    </section>
  )
}

interface SameProps extends Pick<ChecksProps, 'report' | 'onOpen'> {
  /** At least one; all with the same code and message. */
  problems: readonly Problem[]
  onWaive?: (problem: Problem) => void
}

/** Problems of one kind: the message once, and each place. */
const Same = ({ problems, ...rest }: SameProps) => {
  const [first] = problems
  if (!first) return null
  const { level, message, waived } = first
  return (
    <li className={classes.problem}>
      <div className={classes.problemHead}>
        <StatusLabel tone={waived ? 'quiet' : level === 'error' ? 'bad' : 'warn'} {...(waived && { shape: 'dash' })}>
          {message}
        </StatusLabel>
        {problems.length > 1 && <span className={classes.count}>{problems.length.toLocaleString('en')}</span>}
      </div>
      <ul className={classes.places}>
        {problems.map((problem) => (
          <One key={keyOf(problem)} problem={problem} {...rest} />
        ))}
      </ul>
    </li>
  )
}

interface OneProps extends Omit<SameProps, 'problems'> {
  problem: Problem
}

const One = ({ report, problem, onOpen, onWaive }: OneProps) => {
  const { code, where, waived } = problem
  const text = where.section !== null && where.section in SECTION_LABELS ? where.section : undefined
  return (
    <li className={classes.one}>
      <div className={classes.where}>
        <Place report={report} problem={problem} text={text} onOpen={onOpen} />
        {where.quote !== null && <Quote problem={problem} />}
        {waived && (
          <p className={classes.waived}>
            “{waived.reason}” · {waived.by?.name ?? 'An API key'}, <TimeAgo iso={waived.at} />
          </p>
        )}
      </div>
      {onWaive && !waived && isWord(report, problem) && <AddWord word={where.quote ?? ''} />}
      {onWaive && !waived && (
        <Button
          variant="subtle"
          size="compact-xs"
          className={classes.waive}
          onClick={() => onWaive(problem)}
          aria-label={`Waive: ${CODE_LABELS[code]}${where.quote === null ? '' : ` “${where.quote}”`}`}
        >
          Waive
        </Button>
      )}
    </li>
  )
}

/** Whether a problem is one word: others are about the language of the report, which they quote. */
const isWord = ({ language }: Report, { code, where }: Problem): boolean =>
  code === 'spelling' && where.quote !== null && where.quote !== language

/** The words that a problem is about; of a finding that is not approved, its state. */
const Quote = ({ problem: { code, where } }: { problem: Problem }) => {
  const { quote } = where
  if (quote === null) return null
  const state = code === 'finding_not_approved' && Object.entries(FINDING_STATE_LABELS).find(([name]) => name === quote)
  return state ? <p className={classes.message}>{state[1]}</p> : <code className={classes.quote}>{quote}</code>
}

/** Where a problem is, as a link to it. */
const Place = ({
  report,
  problem: { where },
  text,
  onOpen,
}: Omit<OneProps, 'onWaive'> & { text: string | undefined }) => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  if (where.type === 'section') {
    const section = report.sections.find(({ id }) => id === where.id)
    return (
      <button type="button" className={classes.place} onClick={() => void onOpen(where.id, where.quote ?? undefined)}>
        {section?.title || 'Section without a title'}
      </button>
    )
  }
  if (where.type === 'finding')
    return (
      <PlainLink
        to={paths.finding(slug, engagement.id, where.id)}
        className={classes.place}
        {...(text !== undefined && { search: { view: 'edit' } })}
      >
        <FindingName findingId={where.id} />
        {text !== undefined && ` · ${SECTION_LABELS[text as keyof typeof SECTION_LABELS]}`}
      </PlainLink>
    )
  return (
    <PlainLink
      to={paths.report(slug, report.engagementId, report.id)}
      search={{ view: 'settings' }}
      className={classes.place}
    >
      Settings of the report
    </PlainLink>
  )
}
