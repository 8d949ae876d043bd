import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { Page, Section } from '../../../ui/page/Page.tsx'
import { StatusButtons } from '../workspace/StatusButtons.tsx'
import { CloneSection } from './CloneSection.tsx'
import { DeleteSection } from './DeleteSection.tsx'
import { HoldSection } from './HoldSection.tsx'

/** Status, trash, cloning, legal hold and deletion. */
export const SettingsPage = () => {
  const organization = useOrganization()
  const { engagement, mayChange, mayChangeDetails, isArchived } = useEngagement()
  return (
    <Page title="Settings" documentTitle={`Settings · ${engagement.name}`} layout="form">
      <Section
        title="Details"
        description={
          isArchived
            ? 'Reopen the engagement to change its details.'
            : mayChangeDetails
              ? 'Name, description, client, dates, hours and people are edited on the overview.'
              : 'Its lead, the owner and admins can change the details.'
        }
        actions={
          <ButtonLink variant="default" to={paths.engagement(organization.slug, engagement.id)}>
            Open the overview
          </ButtonLink>
        }
      />
      {mayChange && !isArchived && (
        <Section title="Status" description={STATUS_HINTS[engagement.status]} actions={<StatusButtons />} />
      )}
      <Section
        title="Trash"
        description="Deleted results, targets, scope rules and tasks can be restored for 30 days."
        actions={
          <ButtonLink variant="default" to={paths.trash(organization.slug, engagement.id)}>
            Open the trash
          </ButtonLink>
        }
      />
      {organization.permissions.changeEngagements && <CloneSection />}
      {isAdmin(organization) && <HoldSection />}
      {isAdmin(organization) && <DeleteSection />}
    </Page>
  )
}

const STATUS_HINTS = {
  active: 'The engagement is active. Completed engagements stay editable; no traffic is sent.',
  completed: 'No traffic is sent. Archived engagements are read-only.',
  archived: '',
} as const
