import { ActionIcon, Button, Menu } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DangerItem, DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconCheck, IconCopy, IconDots, IconTrash } from '../../../ui/page-icons.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { type CheckOutcome, staleTemplateReads, type Template } from '../template-words.tsx'

/** Copies a template, and opens the copy. */
export const useCopyTemplate = (template: Template) => {
  const organization = useOrganization()
  const router = useRouter()
  const copy = useApiMutation(organization.id, 'copyReportTemplate', {
    invalidates: staleTemplateReads(organization.id),
    onSuccess: ({ data }) => router.navigate({ href: paths.reportTemplate(organization.slug, data.id) }),
    onError: (error) => toastError(messageOf(error)),
  })
  return {
    isPending: copy.isPending,
    run: () =>
      copy.mutate({ params: { templateId: template.id }, body: { name: `${template.name} (copy)`.slice(0, 100) } }),
  }
}

interface TemplateActionsProps {
  template: Template
  /** Receives the problems for which a template cannot be published. */
  onChecked: (outcome: CheckOutcome) => void
}

/** Publishes, copies and deletes a template. */
export const TemplateActions = ({ template, onChecked }: TemplateActionsProps) => {
  const organization = useOrganization()
  const router = useRouter()
  const [isDeleting, setDeleting] = useState(false)
  const params = { templateId: template.id }
  const copy = useCopyTemplate(template)
  const check = useApiMutation(organization.id, 'checkReportTemplate', {
    onSuccess: ({ data }) => onChecked(data),
    onError: (error) => toastError(messageOf(error)),
  })
  const publish = useApiMutation(organization.id, 'publishReportTemplate', {
    invalidates: staleTemplateReads(organization.id),
    onSuccess: ({ data }) => toast(`Published version ${data.version}.`),
    onError: (error) => {
      toastError(messageOf(error))
      // The refusal names the first error; the check lists all.
      check.mutate({ params, body: {} })
    },
  })
  const remove = useApiMutation(organization.id, 'deleteReportTemplate', {
    invalidates: [[organization.id, 'listReportTemplates']],
    onSuccess: () => router.navigate({ href: paths.reportTemplates(organization.slug) }),
  })
  return (
    <>
      {!template.builtIn && template.state === 'draft' && (
        <Button
          leftSection={<IconCheck size={14} aria-hidden />}
          loading={publish.isPending}
          onClick={() => publish.mutate({ params })}
        >
          Publish
        </Button>
      )}
      <DropdownMenu
        position="bottom-end"
        target={
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item leftSection={<IconCopy size={14} aria-hidden />} onClick={copy.run}>
          Copy
        </Menu.Item>
        {!template.builtIn && (
          <DangerItem leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setDeleting(true)}>
            Delete
          </DangerItem>
        )}
      </DropdownMenu>
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate({ params })}
        title={`Delete ${template.name}?`}
        confirmLabel="Delete"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Deletes all versions of the template with its files. Editions that were made with it stay. This can't be undone.
      </ConfirmDialog>
    </>
  )
}
