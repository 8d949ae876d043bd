import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addressOfCall, call, linkTo, messageOf, query, useApiMutation } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { useFieldDefinitions } from '../../shell/fields/custom/custom-fields.ts'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../shell/routing/breadcrumbs.tsx'
import { AttachedFiles } from '../../shell/uploads/AttachedFiles.tsx'
import { UploadsProvider } from '../../shell/uploads/uploads.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Properties } from '../../ui/lists/Properties.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { Markdown } from '../../ui/text/Markdown.tsx'
import { CopyId } from '../../ui/values/CopyId.tsx'
import { type Client, staleReads } from './client.ts'
import { client as route } from './clients.routes.ts'
import { ClientEngagements, FindingsByYear, OpenFindings } from './ClientWork.tsx'
import { EditClientDialog } from './EditClientDialog.tsx'

const SHOWN_FILES = 100

/** One client: contacts, domains, engagements over time, open findings, notes and files. */
export const ClientPage = () => {
  const organization = useOrganization()
  const params = route.useParams()
  const read = useQuery(query(organization.id, 'getClient', { params }))
  return (
    <WithCrumbs crumbs={[{ label: 'Clients', to: paths.clients(organization.slug) }]}>
      <QueryView query={read} skeleton={<PageSkeleton />}>
        {({ data }) => (
          <UploadsProvider key={data.id} below={paths.client(organization.slug, data.id)}>
            <Shown client={data} />
          </UploadsProvider>
        )}
      </QueryView>
    </WithCrumbs>
  )
}

const Shown = ({ client }: { client: Client }) => {
  const organization = useOrganization()
  const navigate = route.useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const close = () => setAsked(undefined)
  const mayChange = organization.permissions.changeEngagements
  const params = { clientId: client.id }
  const files = useQuery(query(organization.id, 'listClientFiles', { params, query: { perPage: SHOWN_FILES } }))
  const remove = useApiMutation(organization.id, 'deleteClient', {
    invalidates: staleReads(organization.id),
    onSuccess: () => navigate({ href: paths.clients(organization.slug) }),
  })
  return (
    <Page
      title={client.name}
      actions={
        mayChange && (
          <Group gap="xs">
            <Button variant="default" onClick={() => setAsked('edit')}>
              Edit
            </Button>
            <Button variant="default" onClick={() => setAsked('delete')}>
              Delete
            </Button>
          </Group>
        )
      }
    >
      <Facts client={client} />
      {client.contacts.length > 0 && (
        <Section title="Contacts">
          <Properties
            items={client.contacts.map(({ name, role, phone, email }, index) => [
              name || `Contact ${index + 1}`,
              <Contact key={name} role={role} phone={phone} email={email} />,
            ])}
          />
        </Section>
      )}
      <Section title="Engagements">
        <ClientEngagements clientId={client.id} />
      </Section>
      <Section title="Findings by year">
        <FindingsByYear clientId={client.id} />
      </Section>
      <Section title="Open findings">
        <OpenFindings clientId={client.id} />
      </Section>
      {client.notes && (
        <Section title="Notes">
          <Markdown text={client.notes} />
        </Section>
      )}
      <AttachedFiles
        title="Files"
        files={files}
        destination={{
          holder: client.id,
          addressOf: (fileName) => addressOfCall('uploadClientFile', { params, query: { fileName } }),
          invalidates: ['listClientFiles'],
        }}
        addressOf={(fileId) => linkTo(organization.id, 'downloadClientFile', { params: { ...params, fileId } })}
        remove={(fileId) =>
          call(organization.id, 'deleteClientFile', { params: { ...params, fileId } }, { retries: 0 })
        }
        isReadOnly={!mayChange}
      />
      {asked === 'edit' && <EditClientDialog client={client} onClose={close} />}
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        onConfirm={() => remove.mutate({ params })}
        title={`Delete ${client.name}?`}
        confirmLabel="Delete client"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Deletes its contacts, notes and files, for everyone. A client with engagements can't be deleted. This can't be
        undone.
      </ConfirmDialog>
    </Page>
  )
}

const Contact = ({ role, phone, email }: { role: string; phone: string; email: string }) => (
  <Text size="sm" component="span">
    {[role, phone].filter(Boolean).join(', ')}
    {email && (
      <>
        {(role || phone) && ', '}
        <a href={`mailto:${email}`}>{email}</a>
      </>
    )}
  </Text>
)

const Facts = ({ client }: { client: Client }) => {
  const definitions = useFieldDefinitions('client')
  const shown = (value: Client['fields'][string]) =>
    typeof value === 'object' ? (Array.isArray(value) ? value.join(', ') : value.name) : String(value)
  return (
    <Properties
      items={[
        ...(client.shortName ? ([['Short name', client.shortName]] as const) : []),
        ...(client.domains.length > 0
          ? ([
              [
                'Domains',
                <span key="domains" className="mono">
                  {client.domains.join(', ')}
                </span>,
              ],
            ] as const)
          : []),
        ...(client.language ? ([['Language', client.language]] as const) : []),
        ...definitions.flatMap(({ key, label }) => {
          const value = client.fields[key]
          return value === undefined ? [] : [[label, shown(value)] as const]
        }),
        ['Id', <CopyId key="id" id={client.id} />],
      ]}
    />
  )
}
