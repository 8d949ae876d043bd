import { isoTime } from '../../../platform/clock.ts'
import { parseEmail } from '../../../platform/text/text.ts'
import { notifyAdmins } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import type { JoinByDomain } from '../../auth/sign-in/after-sign-in.ts'
import { listToJoin } from '../domains/domains.queries.ts'
import { provedSince } from '../domains/proof-age.ts'
import { addMember } from '../members/members.service.ts'
import { lockOrganization } from '../organizations.queries.ts'

/**
 * Adds the user to the organizations that accept members of their domain (open point 29), in the transaction that
 * starts the session.
 */
export const joinByDomain: JoinByDomain = async (tx, { clock, jobs }, { user, verifiedEmail, address }) => {
  const key = parseEmail(verifiedEmail)?.key
  if (key === undefined) return
  const domain = key.slice(key.lastIndexOf('@') + 1)
  const wanted = () =>
    listToJoin(tx, { userId: user.id, domain, emailKey: key }, provedSince(clock), isoTime(clock.now()))
  for (const organizationId of await wanted()) {
    await lockOrganization(tx, organizationId)
    // Settings, domain and membership may have changed before the lock was acquired.
    if (!(await wanted()).includes(organizationId)) continue
    await addMember(tx, clock, organizationId, user, 'member')
    const by = { person: { userId: user.id, name: user.name, address }, organizationId }
    const after = { email: verifiedEmail, domain, role: 'member' }
    await recordAudit(tx, by, clock, {
      action: 'member.joined-by-domain',
      object: { type: 'member', id: user.id },
      after,
    })
    const line = `${user.name} (${user.email}) joined as a member, because the organization accepts everyone with an address at ${domain}.`
    await notifyAdmins(tx, jobs, clock, organizationId, { kind: 'invitations-accepted', line })
  }
}
