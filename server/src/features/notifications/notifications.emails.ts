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
        ...notices.slice(0, MAX_LINES).map((notice) => `${sentenceOf(notice)}\n${organization}/${pathOf(notice)}`),
        ...(more > 0 ? [`And ${more} more.`] : []),
      ],
      action:
        notices.length === 1
          ? { label: `Open the ${typeOf(first)}`, url: `${organization}/${pathOf(first)}` }
          : { label: 'Open your tasks', url: `${organization}/tasks` },
      footer: [
        `You can turn off emails like this one in your account: ${FRONTEND_URL}/account/notifications`,
        `Sent by Sortie at ${FRONTEND_URL}`,
      ],
    }
  },
}

type NoticeType = 'task' | 'result' | 'finding' | 'report'

const typeOf = ({ report_id, finding_id, result_id }: NoticeRow): NoticeType => {
  if (report_id !== null) return 'report'
  if (finding_id !== null) return 'finding'
  return result_id === null ? 'task' : 'result'
}

const pathOf = (notice: NoticeRow): string =>
  `${typeOf(notice)}s/${notice.report_id ?? notice.finding_id ?? notice.result_id ?? notice.task_id ?? ''}`

const sentenceOf = (notice: NoticeRow): string => {
  const { kind, by_id, by_name, title, tasks } = notice
  const who = by_id === null ? `The API key ${by_name}` : by_name
  if (kind === 'mention') return `${who} mentioned you on: ${title}`
  if (kind === 'comment') return `${who} commented on: ${title}`
  const others = tasks - 1
  const more = others === 0 ? '' : ` and ${others} more ${typeOf(notice)}${others === 1 ? '' : 's'}`
  return kind === 'reopened' ? `${who} reopened: ${title}${more}` : `${who} assigned to you: ${title}${more}`
}
