import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { violates } from '../../../platform/database/connection/failures.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { workosIssuer } from '../../auth/linked-accounts/providers/workos.ts'
import { provideMembership } from '../members/provided-members.service.ts'
import { type ChangedBy, changeOrganization } from '../organization-change.service.ts'
import * as query from './directory.queries.ts'
import type { DirectoryChange } from './workos/workos-events.ts'

/**
 * Links an organization of the provider. Users that the provider reports as its members join now.
 *
 * @throws ApiError NOT_FOUND without such an organization, CONFLICT when the provider's is linked to another one or
 *   AUTH_PROVIDER is not `workos`, VALIDATION_ERROR for an invalid WorkOS id
 */
export const linkDirectory = async (platform: Writer, by: ChangedBy, providerId: string): Promise<void> => {
  const { change, clock, config } = platform
  if (config.AUTH_PROVIDER !== 'workos')
    throw conflict('People do not sign in to this server through WorkOS: AUTH_PROVIDER says otherwise.')
  if (!/^org_[0-9A-Za-z]{10,60}$/.test(providerId))
    throw invalid(`${providerId} is not the id of an organization at WorkOS: those begin with org_`)
  try {
    await changeOrganization(change, by, async (tx, { id: organizationId }) => {
      const before = await query.findLink(tx, organizationId)
      if (before?.provider_id === providerId) return
      await query.upsertLink(tx, {
        organization_id: organizationId,
        provider_id: providerId,
        linked_at: isoTime(clock.now()),
      })
      await recordAudit(tx, by, clock, {
        action: 'directory.linked',
        object: { type: 'organization', id: organizationId },
        before: { providerId: before?.provider_id ?? null },
        after: { providerId },
      })
      for (const member of await query.listProvidedMemberships(tx, workosIssuer(config), { organizationId })) {
        if (member.is_removed || member.user_id === null || member.name === null || member.email === null) continue
        const user = { id: member.user_id, name: member.name, email: member.email }
        const { role = 'member' } = member.data as DirectoryChange['data']
        await provideMembership(tx, platform, { organizationId, user, role, mayJoin: true, source: 'The directory' })
      }
    })
  } catch (error) {
    if (violates(error, 'directory_organizations_provider'))
      throw conflict(`${providerId} is linked to another organization.`)
    throw error
  }
}

/** Members stay; the directory no longer affects the organization. @throws ApiError NOT_FOUND if none is linked */
export const unlinkDirectory = ({ change, clock }: Writer, by: ChangedBy): Promise<void> =>
  changeOrganization(change, by, async (tx, { id: organizationId }) => {
    const before = await query.deleteLink(tx, organizationId)
    if (!before) throw notFound('No directory is linked to this organization.')
    await recordAudit(tx, by, clock, {
      action: 'directory.unlinked',
      object: { type: 'organization', id: organizationId },
      before: { providerId: before.provider_id },
    })
  })
