import type { Role } from '@sortie/contract/core/scopes.ts'
import { type Device, describeDevice } from '../../platform/auth/device.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { appendLine, queueMail, queueMails } from '../mails/mails.service.ts'
import * as query from './account-emails.queries.ts'

type SecondFactorChange =
  | 'enabled'
  | 'removed'
  | 'app removed'
  | 'passkey added'
  | 'passkey removed'
  | 'recovery codes renewed'
  | 'recovery code used'
  | 'reset by the operator'

/**
 * Security events that are mailed to the affected user (open point 36). `from` is undefined for an action of the
 * operator.
 */
export type SecurityNotice =
  | { kind: 'password'; change: 'changed' | 'reset by mail' | 'reset by the operator'; from?: Device }
  | { kind: 'second-factor'; change: SecondFactorChange; from?: Device }
  | { kind: 'second-factor'; change: 'reset by an admin'; by: string }
  | { kind: 'new-device'; from: Device }
  | { kind: 'identity-linked'; provider: string; email: string; from: Device }

export type MembershipNotice =
  | { kind: 'role-changed'; role: Role; by: string }
  | { kind: 'member-removed'; by: string }
  | { kind: 'ownership-received'; by: string }
  | { kind: 'ownership-given'; to: string; by?: string }
  | { kind: 'domain-lost'; domain: string; autoJoin: 'switched off' | 'unchanged' }
  | { kind: 'webhook-disabled'; endpoint: string; reason: string }

/** About the security of an account: cannot be switched off. The mail exists if and only if `tx` commits. */
export const notifyPerson = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  { userId }: { userId: string },
  notice: SecurityNotice,
): Promise<void> => {
  const { name, email } = await query.findRecipient(tx, userId)
  const { kind, from, ...rest } = { from: undefined, ...notice }
  const origin = from && { device: describeDevice(from.userAgent), address: from.address }
  const data = { ...rest, ...origin, name, at: isoTime(clock.now()) }
  await queueMail(tx, jobs, clock, { organizationId: null, kind, recipient: email, subjectId: userId, data })
}

const ALWAYS_MAILED = new Set<MembershipNotice['kind']>([
  'ownership-received',
  'ownership-given',
  'domain-lost',
  'webhook-disabled',
])

/**
 * Mails the former and the new address of an account. Only the mail to the new one names both: the former one may
 * belong to someone else.
 */
export const notifyNewAddress = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  { userId, name }: { userId: string; name: string },
  { from, to }: { from: string; to: string },
): Promise<void> => {
  const mail = { organizationId: null, subjectId: userId }
  const at = isoTime(clock.now())
  await queueMail(tx, jobs, clock, { ...mail, kind: 'address-gone', recipient: from, data: { name, at } })
  await queueMail(tx, jobs, clock, { ...mail, kind: 'address-new', recipient: to, data: { name, at, email: from, to } })
}

/** Mails the address of an account that is about to be deleted. */
export const notifyDeletedAccount = (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  { userId, name, email }: { userId: string; name: string; email: string },
): Promise<void> =>
  queueMail(tx, jobs, clock, {
    organizationId: null,
    kind: 'account-deleted',
    recipient: email,
    subjectId: userId,
    data: { name, at: isoTime(clock.now()) },
  })

/** Mails the owner of an organization that is about to be removed; the mail does not belong to the organization. */
export const notifyRemovedOrganization = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  organizationId: string,
): Promise<void> => {
  const owner = await query.findOwner(tx, organizationId)
  if (!owner) return
  const { name, email } = await query.findRecipient(tx, owner.id)
  const organization = await query.findOrganizationName(tx, organizationId)
  await queueMail(tx, jobs, clock, {
    organizationId: null,
    kind: 'organization-removed',
    recipient: email,
    subjectId: owner.id,
    data: { name, organization },
  })
}

/** About a membership: users can switch these off, except for a change of the owner. */
export const notifyMember = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  { userId, organizationId }: { userId: string; organizationId: string },
  notice: MembershipNotice,
): Promise<void> => {
  const recipient = await query.findRecipient(tx, userId)
  if (!recipient.notify_membership && !ALWAYS_MAILED.has(notice.kind)) return
  const organization = await query.findOrganizationName(tx, organizationId)
  const { kind, ...rest } = notice
  const data = { ...rest, name: recipient.name, organization }
  await queueMail(tx, jobs, clock, { organizationId, kind, recipient: recipient.email, subjectId: userId, data })
}

/** Notifies the organization's current owner. */
export const notifyOwner = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  organizationId: string,
  notice: MembershipNotice,
): Promise<void> => {
  const owner = await query.findOwner(tx, organizationId)
  if (owner) await notifyMember(tx, jobs, clock, { userId: owner.id, organizationId }, notice)
}

/** After a mail to owner and admins, further events within this time are collected into one more. */
export const COLLECTING_MS = 15 * 60 * 1000
/** A mail that is due this soon collects nothing more: longer than any transaction can last. */
const CLOSING_MS = 30_000

const ADMIN_NOTICES = { 'api-keys-changed': 'notify_api_keys', 'invitations-accepted': 'notify_invitations' } as const

/**
 * Notifies owner and admins who want it. The first event is mailed at once; those of the next quarter of an hour are
 * collected in one mail, so that fifty accepted invitations do not cause fifty mails. The number of statements does not
 * depend on the number of recipients, because other transactions wait for this one.
 */
export const notifyAdmins = async (
  tx: Transaction,
  jobs: Jobs,
  clock: Clock,
  organizationId: string,
  { kind, line }: { kind: keyof typeof ADMIN_NOTICES; line: string },
): Promise<void> => {
  const recipients = await query.listAdminRecipients(tx, organizationId, ADMIN_NOTICES[kind])
  if (recipients.length === 0) return
  const now = clock.now()
  const addresses = recipients.map(({ email }) => email)
  const recent = await query.listRecentMails(tx, organizationId, kind, addresses, isoTime(now - COLLECTING_MS))
  const collecting = recent.filter(({ due_at }) => due_at !== null && Date.parse(due_at) > now + CLOSING_MS)
  const extended = await appendLine(
    tx,
    collecting.map(({ id }) => id),
    line,
  )
  const lastOf = new Map(recent.map(({ recipient, id }) => [recipient, id]))
  const isToldByAnother = ({ email }: { email: string }) => extended.has(lastOf.get(email) ?? '')
  const left = recipients.filter((recipient) => !isToldByAnother(recipient))
  if (left.length === 0) return
  const organization = await query.findOrganizationName(tx, organizationId)
  const mailTo = (some: typeof left, collected: { dueAt?: string }) =>
    some.map(({ id, name, email }) => ({
      recipient: email,
      subjectId: id,
      data: { name, organization, lines: [line], ...collected },
    }))
  const first = left.filter(({ email }) => !lastOf.has(email))
  const next = left.filter(({ email }) => lastOf.has(email))
  await queueMails(tx, jobs, clock, { organizationId, kind }, mailTo(first, {}))
  await queueMails(
    tx,
    jobs,
    clock,
    { organizationId, kind, afterSeconds: COLLECTING_MS / 1000 },
    mailTo(next, { dueAt: isoTime(now + COLLECTING_MS) }),
  )
}
