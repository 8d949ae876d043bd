import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { HostsField } from '../HostsField.tsx'
import { type Environment, usePlace } from '../place.tsx'
import { Frame } from '../tree/Frame.tsx'
import { changesOf, LABELS, savedOf } from './environment-values.ts'
import { VariableRows } from './VariableRows.tsx'

/** One environment with its variables. */
export const EnvironmentPage = ({ environmentId }: { environmentId: string }) => {
  const { organizationId } = usePlace()
  const read = useQuery(query(organizationId, 'getEnvironment', { params: { environmentId } }))
  return (
    <Frame>
      <QueryView query={read}>{({ data }) => <OpenEnvironment environment={data} />}</QueryView>
    </Frame>
  )
}

const OpenEnvironment = ({ environment }: { environment: Environment }) => {
  const place = usePlace()
  const mayWrite = place.mayWrite && environment.engagementId === place.engagementId
  return (
    <Page
      title={environment.name}
      documentTitle={`${environment.name} · ${place.name}`}
      description={
        environment.engagementId === null && place.engagementId !== null
          ? 'From the organization: edit it in the library.'
          : undefined
      }
      actions={mayWrite && <DeleteEnvironment environment={environment} />}
    >
      <EnvironmentForm environment={environment} isReadOnly={!mayWrite} />
    </Page>
  )
}

const EnvironmentForm = ({ environment, isReadOnly }: { environment: Environment; isReadOnly: boolean }) => {
  const { organizationId } = usePlace()
  const cache = useQueryClient()
  const params = { environmentId: environment.id }
  const send = useSend(organizationId, 'updateEnvironment', [
    [organizationId, 'getEnvironment'],
    [organizationId, 'listEnvironments'],
  ])
  const form = useDraftForm({
    draft: `environment/${environment.id}`,
    saved: savedOf(environment),
    secrets: ['secrets'],
    send: (values, ifUpdatedAt) =>
      send({ params, body: { ...changesOf(values), ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organizationId, 'getEnvironment', { params }))).data),
    onSaved: () => toast('Environment saved.'),
  })
  const variables = (
    <VariableRows
      rows={form.values.variables}
      secrets={form.values.secrets}
      isReadOnly={isReadOnly}
      onRows={(rows) => form.setFieldValue('variables', rows)}
      onSecret={(key, value) => form.setFieldValue('secrets', { ...form.values.secrets, [key]: value })}
    />
  )
  if (isReadOnly)
    return (
      <>
        {variables}
        <ProxyField readOnly placeholder="None" value={form.values.proxy} />
        <HostsField readOnly placeholder="Any host" value={form.values.hosts} />
      </>
    )
  return (
    <PageForm form={form} labels={LABELS} submitLabel="Save" disabled={form.values.name.trim() === ''}>
      <TextInput label="Name" maxLength={200} maw={480} {...form.getInputProps('name')} />
      {variables}
      <ProxyField {...form.getInputProps('proxy')} />
      <HostsField {...form.getInputProps('hosts')} />
    </PageForm>
  )
}

const ProxyField = (props: TextInputProps) => (
  <TextInput
    label="Proxy"
    description="http, https or socks5. Scope rules apply to requests through it too."
    placeholder="http://proxy.example.com:8080"
    maxLength={2_000}
    maw={480}
    spellCheck={false}
    {...props}
  />
)

const DeleteEnvironment = ({ environment }: { environment: Environment }) => {
  const { organizationId, addressOf } = usePlace()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const remove = useApiMutation(organizationId, 'deleteEnvironment', {
    invalidates: [[organizationId, 'listEnvironments']],
    onSuccess: () => {
      setAsked(false)
      void navigate({ to: addressOf('environments') })
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate({ params: { environmentId: environment.id } })}
        title={`Delete ${environment.name}?`}
        confirmLabel="Delete environment"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Its variables are deleted for everyone, including secret values. Requests that use them are not sent until
        another environment defines them.
      </ConfirmDialog>
    </>
  )
}
