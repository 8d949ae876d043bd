import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconPlus } from '../../../ui/icons.tsx'
import { DataTable } from '../../../ui/lists/DataTable.tsx'
import { Page, Section } from '../../../ui/page/Page.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { type Environment, usePlace } from '../place.tsx'
import { Frame } from '../tree/Frame.tsx'
import { useEnvironments } from './use-environments.ts'

/** Environments available to the requests of the engagement or library. */
export const EnvironmentsPage = () => {
  const { name, mayWrite } = usePlace()
  const environments = useEnvironments()
  return (
    <Frame>
      <Page title="Environments" documentTitle={`Environments · ${name}`} actions={mayWrite && <NewEnvironment />}>
        <QueryView query={environments}>
          {({ own, shared }) => (
            <>
              {own.length === 0 ? (
                <EmptyState title="No environments yet">
                  Values for the {'{{variables}}'} of requests: a host, a token, an id. Secret values are sealed and
                  never shown again, not even in sent requests.
                </EmptyState>
              ) : (
                <EnvironmentTable label="Environments" rows={own} />
              )}
              {shared.length > 0 && (
                <Section title="From the organization" description="Edit them in the library of the organization.">
                  <EnvironmentTable label="Environments of the organization" rows={shared} />
                </Section>
              )}
            </>
          )}
        </QueryView>
      </Page>
    </Frame>
  )
}

const EnvironmentTable = ({ label, rows }: { label: string; rows: readonly Environment[] }) => {
  const { addressOf } = usePlace()
  return (
    <DataTable
      label={label}
      rows={[...rows]}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', kind: 'primary', cell: ({ id, name }) => <TextLink to={addressOf(id)}>{name}</TextLink> },
        {
          header: 'Variables',
          kind: 'secondary',
          cell: ({ variables }) => variables.map(({ name }) => name).join(', ') || '–',
        },
        { header: 'Changed', kind: 'secondary', cell: ({ updatedAt }) => <TimeAgo iso={updatedAt} /> },
      ]}
    />
  )
}

const NewEnvironment = () => {
  const { organizationId, engagementId, addressOf } = usePlace()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState('')
  const create = useApiMutation(organizationId, 'createEnvironment', {
    invalidates: [[organizationId, 'listEnvironments']],
    onSuccess: ({ data }) => void navigate({ to: addressOf(data.id) }),
  })
  return (
    <>
      <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setOpened(true)}>
        New environment
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="New environment" size="sm">
        <DialogForm
          submitLabel="Create environment"
          onSubmit={() => create.mutate({ body: { engagementId, name } })}
          onCancel={() => setOpened(false)}
          loading={create.isPending}
          disabled={name.trim() === ''}
          error={create.error ? messageOf(create.error) : undefined}
        >
          <TextInput
            label="Name"
            placeholder="Staging"
            maxLength={200}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </DialogForm>
      </Dialog>
    </>
  )
}
