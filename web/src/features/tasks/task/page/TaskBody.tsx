import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { Comments } from '../../../../shell/comments/Comments.tsx'
import { IconPlus } from '../../../../ui/icons.tsx'
import { Section } from '../../../../ui/page/Page.tsx'
import { Markdown } from '../../../../ui/text/Markdown.tsx'
import type { Task } from '../../labels.tsx'
import { CheckedItem } from '../CheckedItem.tsx'
import { Checklist } from '../Checklist.tsx'
import { FailedCheck } from '../FailedCheck.tsx'
import { Links } from '../links/Links.tsx'
import { TaskFiles } from '../TaskFiles.tsx'
import { TaskForm } from '../TaskForm.tsx'
import { TaskHistory } from '../TaskHistory.tsx'
import { TaskProperties } from '../TaskProperties.tsx'
import classes from './page.module.css'
import type { TaskState } from './task-state.ts'

type Part = 'checklist' | 'links'

/** A task in two columns: text and properties. What is empty has no heading, only a button that adds it. */
export const TaskBody = ({ task, mayChange, isEditing, setEditing }: { task: Task } & TaskState) => {
  const [added, setAdded] = useState<ReadonlySet<Part>>(new Set())
  const add = (part: Part) => setAdded((before) => new Set([...before, part]))
  const hasChecklist = task.checklist.length > 0 || (mayChange && added.has('checklist'))
  const hasLinks = task.links.length > 0 || (mayChange && added.has('links'))
  return (
    <div className={classes.columns}>
      <div className={classes.text}>
        {task.check && <CheckedItem check={task.check} />}
        {mayChange && <FailedCheck task={task} />}
        {isEditing ? (
          <TaskForm task={task} onDone={() => setEditing(false)} />
        ) : (
          task.description && <Markdown text={task.description} />
        )}
        {hasChecklist && (
          <Section title="Checklist">
            <Checklist task={task} mayChange={mayChange} hasFocus={added.has('checklist')} />
          </Section>
        )}
        {hasLinks && (
          <Section title="Links">
            <Links task={task} mayChange={mayChange} hasFocus={added.has('links')} />
          </Section>
        )}
        <div className={classes.additions}>
          {mayChange && !isEditing && !task.description && <Add onClick={() => setEditing(true)}>Add description</Add>}
          {mayChange && !hasChecklist && <Add onClick={() => add('checklist')}>Add checklist</Add>}
          {mayChange && !hasLinks && <Add onClick={() => add('links')}>Add link</Add>}
          <TaskFiles taskId={task.id} isReadOnly={!mayChange} />
        </div>
        <Tabs defaultValue="comments" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="comments">Comments</Tabs.Tab>
            <Tabs.Tab value="history">History</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="comments" pt="md">
            <Comments parent={{ type: 'task', id: task.id, engagementId: task.engagementId }} mayWrite={mayChange} />
          </Tabs.Panel>
          <Tabs.Panel value="history" pt="md">
            <TaskHistory taskId={task.id} />
          </Tabs.Panel>
        </Tabs>
      </div>
      <section className={classes.properties} aria-label="Properties">
        <TaskProperties task={task} mayChange={mayChange} />
      </section>
    </div>
  )
}

const Add = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
    {children}
  </Button>
)
