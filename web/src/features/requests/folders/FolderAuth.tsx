import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { toast } from '../../../ui/toasts/toast.ts'
import { hostsAsText, hostsOf } from '../host-list.ts'
import { HostsField } from '../HostsField.tsx'
import { type RequestFolder, staleRequests, usePlace } from '../place.tsx'
import { AuthFields } from '../request/fields/AuthFields.tsx'
import { authOf, authValuesOf, secretOf } from '../request/request-values.ts'
import classes from '../request/request.module.css'

const savedOf = ({ auth, hosts, updatedAt }: RequestFolder) => ({
  values: { auth: authValuesOf(auth), secret: secretOf(auth) ?? '', hosts: hostsAsText(hosts) },
  version: updatedAt,
})

const SECRET_TYPES = new Set<RequestFolder['auth']['type']>(['basic', 'bearer', 'header', 'query'])

/** Authentication that requests of a folder inherit. */
export const FolderAuth = ({ folder }: { folder: RequestFolder }) => {
  const { organizationId, mayWrite } = usePlace()
  const cache = useQueryClient()
  const params = { folderId: folder.id }
  const send = useSend(organizationId, 'updateRequestFolder', staleRequests(organizationId))
  const form = useDraftForm({
    draft: `request-folder/${folder.id}`,
    saved: savedOf(folder),
    secrets: ['secret'],
    send: ({ auth, secret, hosts }, ifUpdatedAt) =>
      send({
        params,
        body: {
          auth: authOf(auth, secret, folder.auth),
          hosts: hostsOf(hosts),
          ...(ifUpdatedAt !== undefined && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organizationId, 'getRequestFolder', { params }))).data),
    onSaved: () => toast('Folder saved.'),
  })
  const fields = (
    <fieldset disabled={!mayWrite} className={classes.fields}>
      <AuthFields
        value={form.values.auth}
        secret={form.values.secret}
        saved={folder.auth}
        inheritLabel="Inherit from parent folder"
        onChange={(auth) => form.setFieldValue('auth', auth)}
        onSecret={(secret) => form.setFieldValue('secret', secret)}
      />
      {SECRET_TYPES.has(form.values.auth.type) && <HostsField {...form.getInputProps('hosts')} />}
    </fieldset>
  )
  if (!mayWrite) return fields
  return (
    <PageForm
      form={form}
      labels={{ auth: 'Authentication', secret: 'Secret', hosts: 'Hosts of the secret' }}
      submitLabel="Save"
      isSecondary
    >
      {fields}
    </PageForm>
  )
}
