import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import type { FieldDefinition } from '../../shell/fields/custom/custom-fields.ts'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconListDetails, IconPlus } from '../../ui/icons.tsx'
import { DataTable } from '../../ui/lists/DataTable.tsx'
import { Page, Section } from '../../ui/page/Page.tsx'
import { FieldDialog } from './FieldDialog.tsx'
import { OBJECT_LABELS, TYPE_LABELS } from './words.ts'

/** Fields that the organization adds to clients, engagements, targets, findings, tasks and library entries. */
export const CustomFieldsPage = () => {
  const organization = useOrganization()
  const list = useQuery(query(organization.id, 'listFieldDefinitions'))
  const [edited, setEdited] = useState<FieldDefinition | 'new'>()
  const [deleted, setDeleted] = useState<FieldDefinition>()
  const remove = useApiMutation(organization.id, 'deleteFieldDefinition', {
    invalidates: [[organization.id, 'listFieldDefinitions']],
    onSuccess: () => setDeleted(undefined),
  })
  const add = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setEdited('new')}>
      New field
    </Button>
  )
  return (
    <Page
      title="Custom fields"
      layout="form"
      description="Members fill them in; lists filter by them, and exports contain them."
      actions={list.data && list.data.data.length > 0 && add}
    >
      <QueryView query={list}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<IconListDetails size={32} stroke={1.4} />} title="No custom fields yet" action={add}>
              Add what your organization needs to know: a cost center of an engagement, the owner of a target, a
              reference of the client for a finding.
            </EmptyState>
          ) : (
            Object.entries(OBJECT_LABELS).map(([type, label]) => {
              const definitions = data.filter(({ objectType }) => objectType === type)
              return definitions.length === 0 ? null : (
                <Section key={type} title={label}>
                  <DataTable
                    label={`Fields of ${label.toLowerCase()}`}
                    rows={definitions}
                    rowKey={({ id }) => id}
                    columns={[
                      { header: 'Field', cell: (field) => `${field.label}${field.required ? ' (required)' : ''}` },
                      { header: 'Type', kind: 'secondary', width: 165, cell: (field) => TYPE_LABELS[field.type] },
                      {
                        header: 'Key',
                        kind: 'secondary',
                        width: 200,
                        cell: (field) => <code title={field.key}>{field.key}</code>,
                      },
                      {
                        header: 'Actions',
                        kind: 'actions',
                        width: 140,
                        cell: (field) => (
                          <Group gap={4} wrap="nowrap" justify="flex-end">
                            <Button
                              size="compact-sm"
                              variant="subtle"
                              aria-label={`Edit ${field.label}`}
                              onClick={() => setEdited(field)}
                            >
                              Edit
                            </Button>
                            <Button
                              size="compact-sm"
                              variant="subtle"
                              aria-label={`Delete ${field.label}`}
                              onClick={() => setDeleted(field)}
                            >
                              Delete
                            </Button>
                          </Group>
                        ),
                      },
                    ]}
                  />
                </Section>
              )
            })
          )
        }
      </QueryView>
      {edited && <FieldDialog field={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      <ConfirmDialog
        opened={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        onConfirm={() => deleted && remove.mutate({ params: { definitionId: deleted.id } })}
        title={`Delete ${deleted?.label ?? 'the field'}?`}
        confirmLabel="Delete field"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Its values are hidden. A new field with the same key and type brings them back within 30 days; after that, they
        are deleted.
      </ConfirmDialog>
    </Page>
  )
}
