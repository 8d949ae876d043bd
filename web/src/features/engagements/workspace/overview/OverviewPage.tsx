import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../../shell/routing/links.tsx'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import { IconPencil } from '../../../../ui/icons.tsx'
import { Page, Section } from '../../../../ui/page/Page.tsx'
import { Markdown } from '../../../../ui/text/Markdown.tsx'
import { useReturnedFocus } from '../../return-focus.ts'
import { StatusButtons } from '../StatusButtons.tsx'
import classes from '../workspace.module.css'
import { Charts } from './charts/Charts.tsx'
import { Contacts } from './Contacts.tsx'
import { Copying } from './Copying.tsx'
import { Counts } from './Counts.tsx'
import { Facts } from './Facts.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { UnderWay } from './UnderWay.tsx'

/** Briefing for the team: description, dates, people and emergency contacts. */
export const OverviewPage = () => {
  const { slug } = useOrganization()
  const { engagement, mayChange, isArchived } = useEngagement()
  useReturnedFocus()
  const mayEdit = mayChange && !isArchived
  const edit = paths.engagementEdit(slug, engagement.id)
  return (
    <Page
      title={engagement.name}
      actions={
        mayEdit && (
          <>
            <StatusButtons />
            <ButtonLink variant="default" to={edit} leftSection={<IconPencil size={14} aria-hidden />} focusName="edit">
              Edit
            </ButtonLink>
          </>
        )
      }
    >
      <Copying />
      <div className={classes.overview}>
        <div className={classes.main}>
          {engagement.description ? (
            <Markdown text={engagement.description} />
          ) : (
            <EmptyState
              title="No description yet"
              action={
                mayEdit && (
                  <ButtonLink variant="default" to={edit}>
                    Write one
                  </ButtonLink>
                )
              }
            >
              Scope, rules of engagement, contacts: everything the team must know.
            </EmptyState>
          )}
          <Charts />
        </div>
        <div className={classes.aside}>
          <UnderWay />
          <Section title="Details">
            <Facts />
          </Section>
          <Section title="Progress">
            <Counts />
          </Section>
          <Section title="Contacts">
            <Contacts />
          </Section>
          <Section title="Latest activity">
            <RecentActivity />
          </Section>
        </div>
      </div>
    </Page>
  )
}
