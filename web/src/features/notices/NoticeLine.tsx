import { ActionIcon, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { PlainLink } from '../../shell/routing/links.tsx'
import { IconAt, IconCheck, IconUserCheck } from '../../ui/icons.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import classes from './notices.module.css'

type Notice = Output<'listNotices'>['data'][number]

/** One notification: links to its subject and is marked as read when opened. */
export const NoticeLine = ({ notice, onRead }: { notice: Notice; onRead: () => void }) => {
  const { slug } = useOrganization()
  const isUnread = notice.readAt === null
  const Icon = notice.kind === 'mention' ? IconAt : IconUserCheck
  return (
    <li className={classes.notice} data-unread={isUnread || undefined}>
      <Icon size={16} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <PlainLink {...addressOf(slug, notice)} className={classes.link} {...(isUnread && { onClick: onRead })}>
          {isUnread && <span className="visually-hidden">Unread: </span>}
          {sentenceOf(notice)}
        </PlainLink>
        <Text size="xs" c="dimmed" component="div">
          <TimeAgo iso={notice.createdAt} />
        </Text>
      </div>
      {isUnread && (
        <ActionIcon size="md" aria-label={`Mark as read: ${notice.task.title}`} title="Mark as read" onClick={onRead}>
          <IconCheck size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

/** The comment with the mention, the assigned task, or the list of all tasks assigned at once. */
const addressOf = (slug: string, { kind, engagementId, task, commentId, tasks }: Notice) => {
  if (kind === 'assignment' && tasks > 1)
    return { to: paths.engagementTasks(slug, engagementId), search: { view: 'list', assigneeId: 'me' } }
  return { to: paths.task(slug, task.id), ...(commentId !== null && { hash: commentId }) }
}

const sentenceOf = ({ kind, by, task, tasks }: Notice) => {
  const who = <b>{by?.name ?? 'An API key'}</b>
  if (kind === 'mention') {
    return (
      <>
        {who} mentioned you on {task.title}
      </>
    )
  }
  const others = tasks - 1
  return (
    <>
      {who} assigned to you: {task.title}
      {others > 0 && ` and ${others} more ${others === 1 ? 'task' : 'tasks'}`}
    </>
  )
}
