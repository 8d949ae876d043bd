import { Text } from '@mantine/core'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { useMembers } from '../../../shell/context/use-members.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { Page, Section } from '../../../ui/page/Page.tsx'
import { StatusButtons } from '../workspace/StatusButtons.tsx'
import { CloneSection } from './CloneSection.tsx'
import { DeleteSection } from './DeleteSection.tsx'
import { DetailsForm } from './DetailsForm.tsx'

/** Details, status, archiving and deletion, for users who may change them. */
export const SettingsPage = () => {
  const organization = useOrganization()
  const { engagement, mayChange, mayChangeDetails, isArchived } = useEngagement()
  const members = useMembers()
  return (
    <Page title="Settings" documentTitle={`Settings · ${engagement.name}`} layout="form">
      <Section title="Details">
        {mayChangeDetails && !isArchived ? (
          <QueryView query={members}>{(people) => <DetailsForm members={people} />}</QueryView>
        ) : (
          <Text size="sm">
            {isArchived
              ? 'Reopen the engagement to change its details.'
              : 'Its lead, the owner and admins can change the details.'}
          </Text>
        )}
      </Section>
      {mayChange && !isArchived && (
        <>
          <Section
            title="Name and description"
            actions={
              <ButtonLink variant="default" to={paths.engagementEdit(organization.slug, engagement.id)}>
                Edit
              </ButtonLink>
            }
          />
          <Section title="Status" description={STATUS_HINTS[engagement.status]} actions={<StatusButtons />} />
        </>
      )}
      {organization.permissions.changeEngagements && <CloneSection />}
      {isAdmin(organization) && <DeleteSection />}
    </Page>
  )
}

const STATUS_HINTS = {
  active: 'The engagement is active. Completed engagements stay editable; no traffic is sent.',
  completed: 'No traffic is sent. Archived engagements are read-only.',
  archived: '',
} as const
