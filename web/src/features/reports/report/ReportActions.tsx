import { ActionIcon, Menu } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import type { Report } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { RenderMenu } from '../../../shell/renders/RenderMenu.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DangerItem, DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconSettings } from '../../../ui/icons.tsx'
import { IconDots, IconTrash } from '../../../ui/page-icons.tsx'

interface ReportActionsProps {
  report: Report
  mayChange: boolean
  save: () => Promise<void>
}

/** Renders a report; opens its settings; deletes it. */
export const ReportActions = ({ report, mayChange, save }: ReportActionsProps) => {
  const organization = useOrganization()
  const router = useRouter()
  const [isDeleting, setDeleting] = useState(false)
  const address = paths.report(organization.slug, report.engagementId, report.id)
  const remove = useApiMutation(organization.id, 'deleteReport', {
    invalidates: [[organization.id, 'listReports']],
    onSuccess: () => router.navigate({ href: paths.reports(organization.slug, report.engagementId) }),
  })
  return (
    <>
      <RenderMenu of={{ type: 'report', id: report.id, title: report.title }} onStart={save} />
      {mayChange && (
        <DropdownMenu
          position="bottom-end"
          target={
            <ActionIcon variant="default" size={30} aria-label="More actions">
              <IconDots size={15} aria-hidden />
            </ActionIcon>
          }
        >
          <Menu.Item
            leftSection={<IconSettings size={14} aria-hidden />}
            onClick={() => void save().then(() => router.navigate({ href: `${address}?view=settings` }))}
          >
            Settings
          </Menu.Item>
          {report.latestEdition === null ? (
            <DangerItem leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setDeleting(true)}>
              Delete
            </DangerItem>
          ) : (
            <Menu.Label>Delivered: it cannot be deleted</Menu.Label>
          )}
        </DropdownMenu>
      )}
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate({ params: { reportId: report.id } })}
        title={`Delete ${report.title}?`}
        confirmLabel="Delete"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Deletes the report with its texts and comments. Findings stay. This can't be undone.
      </ConfirmDialog>
    </>
  )
}
