import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import type { Report, ReportSection } from '../../../domain/reports/report-words.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { IconPlus } from '../../../ui/icons.tsx'
import type { Problem } from '../checks/problems.ts'
import { AddSection } from './AddSection.tsx'
import classes from './outline.module.css'
import { OutlineRow } from './OutlineRow.tsx'
import { nameOf, useSections } from './use-sections.ts'

interface OutlineProps {
  report: Report
  shownId: string | undefined
  /** Problems without a waiver. */
  problems: readonly Problem[]
  mayChange: boolean
  onOpen: (sectionId: string) => void
}

/** The sections of a report in their order. They are dragged, or moved by Alt with an arrow key. */
export const Outline = ({ report, shownId, problems, mayChange, onOpen }: OutlineProps) => {
  const sections = useSections(report)
  const [renaming, setRenaming] = useState<string>()
  const [deleting, setDeleting] = useState<ReportSection>()
  const shown = report.sections.find(({ id }) => id === shownId)
  const moveBy = (section: ReportSection, by: 1 | -1) => {
    const other = report.sections[report.sections.findIndex(({ id }) => id === section.id) + by]
    if (other) sections.move(section, by === 1 ? 'after' : 'before', other)
  }
  const remove = (section: ReportSection) =>
    section.body.trim() === '' ? sections.remove(section) : setDeleting(section)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!mayChange || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const id = (event.target as HTMLElement).closest<HTMLElement>('[data-section-id]')?.dataset['sectionId']
    const section = report.sections.find((each) => each.id === id)
    if (!section) return
    event.preventDefault()
    moveBy(section, event.key === 'ArrowDown' ? 1 : -1)
  }
  return (
    <nav className={classes.outline} aria-label="Sections of the report">
      <div className={classes.head}>
        <h2>Sections</h2>
        {mayChange && (
          <AddSection
            target={
              <ActionIcon size="sm" aria-label="Add a section" title="Add a section (C)">
                <IconPlus size={15} aria-hidden />
              </ActionIcon>
            }
            onAdd={(body) =>
              void sections.add(body, shown).then((added) => {
                if (!added) return
                onOpen(added.id)
                if (added.kind === 'text') setRenaming(added.id)
              })
            }
          />
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focused link receives the keys */}
      <ol className={classes.list} onKeyDown={onKeyDown}>
        {report.sections.map((section) => (
          <OutlineRow
            key={section.id}
            report={report}
            section={section}
            sections={sections}
            isShown={section.id === shownId}
            isRenaming={renaming === section.id}
            problems={problems.filter(({ where }) => where.type === 'section' && where.id === section.id)}
            mayChange={mayChange}
            onOpen={onOpen}
            onRename={(isWanted) => setRenaming(isWanted ? section.id : undefined)}
            onMove={(by) => moveBy(section, by)}
            onDelete={() => remove(section)}
          />
        ))}
      </ol>
      <div role="status" className="visually-hidden">
        {sections.announced}
      </div>
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        onConfirm={() => {
          if (deleting) sections.remove(deleting)
          setDeleting(undefined)
        }}
        title={`Delete ${deleting ? nameOf(deleting) : ''}?`}
        confirmLabel="Delete"
      >
        Deletes the section with its text. The message at the bottom can undo it for as long as it is shown.
      </ConfirmDialog>
    </nav>
  )
}
