import { ActionIcon, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { objectPath, paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { PlainLink } from '../../shell/routing/links.tsx'
import { type Icon, IconRefresh } from '../../ui/icons.tsx'
import { IconAt, IconCheck, IconMessage, IconUserCheck } from '../../ui/page-icons.tsx'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import classes from './notices.module.css'

type Notice = Output<'listNotices'>['data'][number]

/** One notification: links to its subject and is marked as read when opened. */
export const NoticeLine = ({ notice, onRead }: { notice: Notice; onRead: () => void }) => {
  const { slug } = useOrganization()
  const isUnread = notice.readAt === null
  const KindIcon = ICONS[notice.kind]
  return (
    <li className={classes.notice} data-unread={isUnread || undefined}>
      <KindIcon size={16} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <PlainLink {...addressOf(slug, notice)} className={classes.link} {...(isUnread && { onClick: onRead })}>
          {isUnread && <span className="visually-hidden">Unread: </span>}
          {sentenceOf(notice)}
        </PlainLink>
        {notice.excerpt && <p className={classes.excerpt}>{notice.excerpt}</p>}
        <Text size="xs" c="dimmed" component="div">
          {notice.engagementName} · <TimeAgo iso={notice.createdAt} />
        </Text>
      </div>
      {isUnread && (
        <ActionIcon size="md" aria-label={`Mark as read: ${titleOf(notice)}`} title="Mark as read" onClick={onRead}>
          <IconCheck size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

const titleOf = ({ task, result, finding, report }: Notice): string =>
  (task ?? result ?? finding ?? report)?.title ?? ''

/** The comment, the object, or the list of all objects assigned at once. */
const addressOf = (slug: string, { kind, engagementId, task, result, finding, report, commentId, tasks }: Notice) => {
  const hash = commentId === null ? {} : { hash: commentId }
  if (report) return { to: paths.reportById(slug, report.id), ...hash }
  if (finding) return { to: objectPath(slug, 'finding', finding.id), ...hash }
  if (result && tasks > 1) return { to: paths.results(slug, engagementId), search: { assigneeId: 'me' } }
  if (result) return { to: objectPath(slug, 'result', result.id), ...hash }
  if (kind === 'assignment' && tasks > 1)
    return { to: paths.engagementTasks(slug, engagementId), search: { view: 'list', assigneeId: 'me' } }
  return { to: paths.task(slug, task?.id ?? ''), ...hash }
}

const ICONS: Record<Notice['kind'], Icon> = {
  mention: IconAt,
  comment: IconMessage,
  reopened: IconRefresh,
  assignment: IconUserCheck,
}

const VERBS = {
  mention: 'mentioned you on',
  comment: 'commented on',
  reopened: 'reopened',
  assignment: 'assigned to you:',
} as const

const sentenceOf = (notice: Notice) => {
  const { kind, by, result, finding, tasks } = notice
  const others = kind === 'assignment' || kind === 'reopened' ? tasks - 1 : 0
  const noun = finding ? 'finding' : result ? 'result' : 'task'
  return (
    <>
      <b>{by?.name ?? 'An API key'}</b> {VERBS[kind]} {titleOf(notice)}
      {others > 0 && ` and ${others} more ${others === 1 ? noun : `${noun}s`}`}
    </>
  )
}
