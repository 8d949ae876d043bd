import { ActionIcon, Menu, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useRef } from 'react'
import type { Report, ReportSection } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DangerItem, DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconArrowUp } from '../../../ui/icons.tsx'
import {
  IconArrowDown,
  IconBolt,
  IconDots,
  IconEye,
  IconEyeOff,
  IconGripVertical,
  IconPencil,
  IconTrash,
} from '../../../ui/page-icons.tsx'
import type { Problem } from '../checks/problems.ts'
import classes from './outline.module.css'
import { useDragSection } from './use-drag-section.ts'
import { nameOf, type Sections } from './use-sections.ts'

interface OutlineRowProps {
  report: Report
  section: ReportSection
  sections: Sections
  isShown: boolean
  isRenaming: boolean
  problems: readonly Problem[]
  mayChange: boolean
  onOpen: (sectionId: string) => void
  onRename: (isWanted: boolean) => void
  onMove: (by: 1 | -1) => void
  onDelete: () => void
}

/** A section in the outline: opens it; renames, hides, moves and deletes it. */
export const OutlineRow = (props: OutlineRowProps) => {
  const { report, section, sections, isShown, isRenaming, problems, mayChange, onOpen, onRename } = props
  const { slug } = useOrganization()
  const row = useRef<HTMLLIElement>(null)
  const { place, isDragged } = useDragSection(row, section, mayChange && !isRenaming, sections.move)
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(section.id)
  }
  const errors = problems.filter(({ level }) => level === 'error').length
  return (
    <li
      ref={row}
      className={classes.row}
      data-section-id={section.id}
      data-shown={isShown || undefined}
      data-hidden={section.hidden || undefined}
      data-place={place}
      data-dragged={isDragged || undefined}
    >
      {isRenaming ? (
        <Rename
          section={section}
          onDone={() => onRename(false)}
          onTake={(title) => sections.update(section, { title })}
        />
      ) : (
        <>
          <span className={classes.grip} aria-hidden title="Drag to move, or Alt with an arrow key">
            {mayChange && <IconGripVertical size={14} />}
          </span>
          <Link
            to={paths.report(slug, report.engagementId, report.id)}
            search={{ section: section.id } as never}
            className={classes.link}
            title={nameOf(section)}
            onClick={open}
            onDoubleClick={() => mayChange && onRename(true)}
            {...(isShown && { 'aria-current': 'page' as const })}
          >
            <span className={classes.title}>{nameOf(section)}</span>
            {section.hidden && (
              <span className={classes.mark} title="Hidden: in no file">
                <IconEyeOff size={13} aria-hidden />
                <span className="visually-hidden">hidden</span>
              </span>
            )}
            {section.kind === 'live' && !section.hidden && (
              <span className={classes.mark} title="Filled from the engagement">
                <IconBolt size={13} aria-hidden />
                <span className="visually-hidden">filled from the engagement</span>
              </span>
            )}
            {problems.length > 0 && !section.hidden && (
              <span
                className={classes.problems}
                data-level={errors > 0 ? 'error' : 'warning'}
                title={problems.length === 1 ? '1 problem' : `${problems.length} problems`}
              >
                {problems.length}
                <span className="visually-hidden">{problems.length === 1 ? ' problem' : ' problems'}</span>
              </span>
            )}
          </Link>
          {mayChange && <Actions {...props} />}
        </>
      )}
    </li>
  )
}

const Actions = ({ section, sections, onRename, onMove, onDelete }: OutlineRowProps) => (
  <DropdownMenu
    position="bottom-end"
    target={
      <ActionIcon size="sm" className={classes.more} aria-label={`Actions for ${nameOf(section)}`}>
        <IconDots size={14} aria-hidden />
      </ActionIcon>
    }
  >
    <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => onRename(true)}>
      Rename
    </Menu.Item>
    <Menu.Item
      leftSection={section.hidden ? <IconEye size={14} aria-hidden /> : <IconEyeOff size={14} aria-hidden />}
      onClick={() => sections.update(section, { hidden: !section.hidden })}
    >
      {section.hidden ? 'Show in the report' : 'Hide from the report'}
    </Menu.Item>
    <Menu.Item
      leftSection={<IconArrowUp size={14} aria-hidden />}
      rightSection={<kbd>Alt ↑</kbd>}
      onClick={() => onMove(-1)}
    >
      Move up
    </Menu.Item>
    <Menu.Item
      leftSection={<IconArrowDown size={14} aria-hidden />}
      rightSection={<kbd>Alt ↓</kbd>}
      onClick={() => onMove(1)}
    >
      Move down
    </Menu.Item>
    <DangerItem leftSection={<IconTrash size={14} aria-hidden />} onClick={onDelete}>
      Delete
    </DangerItem>
  </DropdownMenu>
)

interface RenameProps {
  section: ReportSection
  onTake: (title: string) => void
  onDone: () => void
}

/** Enter and leaving the field save; Escape restores the title. */
const Rename = ({ section, onTake, onDone }: RenameProps) => {
  const isCancelled = useRef(false)
  return (
    <TextInput
      className={classes.rename}
      size="xs"
      aria-label={`New title of ${nameOf(section)}`}
      defaultValue={section.title}
      maxLength={300}
      ref={(field) => {
        // Once, when the field appears.
        if (field && document.activeElement !== field) field.select()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') isCancelled.current = true
        if (event.key === 'Enter' || event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          event.currentTarget.blur()
        }
      }}
      onBlur={({ currentTarget }) => {
        const title = currentTarget.value.trim()
        if (!isCancelled.current && title !== section.title) onTake(title)
        onDone()
      }}
    />
  )
}
