import { viewerOf } from '../../platform/auth/actor.ts'
import type { MailTemplate } from '../../platform/mail/template.ts'
import { findMembership, findNotices, type NoticeRow } from './notifications.queries.ts'
import { NOTICE_MAIL } from './notifications.service.ts'

const MAX_LINES = 40

/** Rendered at send time with the recipient's current access; skipped if nothing is visible. */
export const noticeMail: MailTemplate = {
  kind: NOTICE_MAIL,
  render: async ({ db, scopedTo, config }, { organization_id: organizationId, subject_id: userId, data }) => {
    if (organizationId === null || userId === null) return undefined
    const member = await findMembership(db, organizationId, userId)
    if (!member) return undefined
    const view = scopedTo(organizationId, viewerOf(member.role, userId))
    const notices = await findNotices(view, organizationId, userId, (data as { lines: string[] }).lines)
    const [first] = notices
    if (!first) return undefined
    const { FRONTEND_URL } = config
    const organization = `${FRONTEND_URL}/o/${member.slug}`
    const more = notices.length - MAX_LINES
    return {
      subject: notices.length === 1 ? sentenceOf(first) : `${notices.length} notices of ${member.organization_name}`,
      paragraphs: [
        `Hello ${member.name},`,
        ...notices
          .slice(0, MAX_LINES)
          .map((notice) => `${sentenceOf(notice)}\n${organization}/tasks/${notice.task_id}`),
        ...(more > 0 ? [`And ${more} more.`] : []),
      ],
      action:
        notices.length === 1
          ? { label: 'Open the task', url: `${organization}/tasks/${first.task_id}` }
          : { label: 'Open your tasks', url: `${organization}/tasks` },
      footer: [
        `You can turn off emails like this one in your account: ${FRONTEND_URL}/account/notifications`,
        `Sent by Sortie at ${FRONTEND_URL}`,
      ],
    }
  },
}

const sentenceOf = ({ kind, by_id, by_name, title, tasks }: NoticeRow): string => {
  const who = by_id === null ? `The API key ${by_name}` : by_name
  if (kind === 'mention') return `${who} mentioned you on: ${title}`
  const others = tasks - 1
  return `${who} assigned to you: ${title}${others === 0 ? '' : ` and ${others} more ${others === 1 ? 'task' : 'tasks'}`}`
}
