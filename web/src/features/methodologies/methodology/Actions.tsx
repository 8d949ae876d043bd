import { Button, Menu } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { linkTo, messageOf, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDownload } from '../../../ui/icons.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { methodology as route } from '../methodologies.routes.ts'
import { type Methodology, staleReads } from '../reads.ts'

/** Export and copy; for the organization's own methodologies also edit, delete and `add`. */
export const Actions = ({
  methodology,
  onEdit,
  add,
}: {
  methodology: Methodology
  onEdit: () => void
  add: ReactNode
}) => {
  const { id, slug } = useOrganization()
  const navigate = route.useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const params = { methodologyId: methodology.id }
  const copy = useApiMutation(id, 'copyMethodology', {
    invalidates: staleReads(id),
    onSuccess: ({ data }) => {
      toast(`You can now edit ${data.name}.`)
      return navigate({ href: paths.methodology(slug, data.id) })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const remove = useApiMutation(id, 'deleteMethodology', {
    invalidates: [[id, 'listMethodologies']],
    onSuccess: () => navigate({ href: paths.methodologies(slug) }),
  })
  return (
    <>
      <DropdownMenu
        position="bottom-end"
        target={
          <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
            Export
          </Button>
        }
      >
        {(['json', 'csv'] as const).map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={linkTo(id, 'exportMethodology', { params, query: { format } })}
            download
          >
            {format.toUpperCase()}
          </Menu.Item>
        ))}
      </DropdownMenu>
      <Button variant="default" loading={copy.isPending} onClick={() => copy.mutate({ params })}>
        {methodology.builtIn ? 'Duplicate to edit' : 'Copy'}
      </Button>
      {!methodology.builtIn && (
        <>
          <Button variant="default" onClick={onEdit}>
            Edit
          </Button>
          <Button variant="default" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </>
      )}
      {add}
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${methodology.name}?`}
        confirmLabel="Delete methodology"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
        onConfirm={() => remove.mutate({ params })}
      >
        Its items are deleted with it. Tasks created from them stay.
      </ConfirmDialog>
    </>
  )
}
