import { Button } from '@mantine/core'
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useShortcuts } from '../../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { lazyPart } from '../../../../ui/load-part.ts'
import { IconEdit, IconPencil } from '../../../../ui/page-icons.tsx'
import { Page, Section } from '../../../../ui/page/Page.tsx'
import { overview as route } from '../../engagements.routes.ts'
import { StatusButtons } from '../StatusButtons.tsx'
import classes from '../workspace.module.css'
import { Charts } from './charts/Charts.tsx'
import { Contacts } from './Contacts.tsx'
import { Copying } from './Copying.tsx'
import { Counts } from './Counts.tsx'
import { Description } from './Description.tsx'
import { Facts } from './Facts.tsx'
import { NextSteps } from './NextSteps.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { UnderWay } from './UnderWay.tsx'

const TextForm = lazyPart(() => import('./TextForm.tsx'), 'TextForm')

/** Briefing for the team: description, dates, people and emergency contacts, each edited where it is shown. */
export const OverviewPage = () => {
  const { engagement, mayChange, isArchived } = useEngagement()
  const { edit = false } = route.useSearch()
  const mayEdit = mayChange && !isArchived
  const isEditing = edit && mayEdit
  const { begin, end, button } = useEditing(isEditing)
  useShortcuts(
    mayEdit && !isEditing
      ? [
          {
            id: 'edit-texts',
            label: 'Edit name and description',
            group: 'This page',
            icon: IconEdit,
            shortcut: 'e',
            run: begin,
          },
        ]
      : [],
  )
  return (
    <Page
      title={engagement.name}
      actions={
        mayEdit && (
          <>
            <StatusButtons />
            {!isEditing && (
              <Button ref={button} variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={begin}>
                Edit
              </Button>
            )}
          </>
        )
      }
    >
      <Copying />
      <div className={classes.overview}>
        <div className={classes.main}>
          {!isEditing && <NextSteps />}
          {isEditing ? (
            <Suspense fallback={<ListSkeleton rows={6} />}>
              <TextForm onDone={end} />
            </Suspense>
          ) : (
            <Description onEdit={mayEdit ? begin : undefined} />
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
          <Contacts />
          <Section title="Latest activity">
            <RecentActivity />
          </Section>
        </div>
      </div>
    </Page>
  )
}

/** Editing is a step of the history, so that Back ends it. When it ends, the button that began it has the focus. */
const useEditing = (isEditing: boolean) => {
  const navigate = route.useNavigate()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  return {
    button,
    begin: () => void navigate({ search: { edit: true } }),
    end: () => {
      if (canGoBack) router.history.back()
      else void navigate({ search: {}, replace: true })
    },
  }
}
