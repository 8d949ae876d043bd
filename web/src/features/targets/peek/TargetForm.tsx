import { Tabs, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { changedFields, describeFields, writtenOf } from '../../../shell/fields/custom/custom-fields.ts'
import { CustomFields } from '../../../shell/fields/custom/CustomFields.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { CriticalitySelect } from '../CriticalitySelect.tsx'
import { CRITICALITY_LABELS, type Criticality, type Target } from '../labels.ts'
import { staleAfterTargets } from '../stale.ts'
import { TagField } from '../TagField.tsx'

const savedOf = ({ tags, criticality, notes, fields, updatedAt }: Target) => ({
  values: { tags, criticality, notes, fields: writtenOf(fields) },
  version: updatedAt,
})

const LABELS = {
  tags: { label: 'Tags', show: (tags: string[]) => tags.join(', ') || 'None' },
  criticality: { label: 'Criticality', show: (criticality: Criticality) => CRITICALITY_LABELS[criticality] },
  notes: 'Notes',
  fields: { label: 'Custom fields', show: describeFields },
}

/** Edits criticality, tags and notes of a target. */
export const TargetForm = ({ target, tags }: { target: Target; tags: readonly string[] }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const params = { targetId: target.id }
  const send = useSend(organization.id, 'updateTarget', staleAfterTargets(organization.id))
  const form = useDraftForm({
    draft: `target/${target.id}`,
    saved: savedOf(target),
    send: (values, ifUpdatedAt) =>
      send({
        params,
        body: {
          ...values,
          fields: changedFields(writtenOf(target.fields), values.fields),
          ...(ifUpdatedAt && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organization.id, 'getTarget', { params }))).data),
    onSaved: () => toast('Saved.'),
  })
  return (
    <PageForm form={form} labels={LABELS} submitLabel="Save" disabled={!form.hasChanges}>
      <CriticalitySelect {...form.getInputProps('criticality')} />
      <TagField label="Tags" tags={tags} {...form.getInputProps('tags')} />
      <CustomFields
        objectType="target"
        values={form.values.fields}
        onChange={(key, value) => form.setFieldValue('fields', { ...form.values.fields, [key]: value })}
      />
      <Tabs defaultValue={target.notes ? 'preview' : 'write'} keepMounted={false}>
        <Tabs.List mb="xs">
          <Tabs.Tab value="write">Write</Tabs.Tab>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="write">
          <Textarea
            label="Notes"
            description="Markdown"
            autosize
            minRows={4}
            maxRows={20}
            maxLength={10_000}
            {...form.getInputProps('notes')}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview">
          <Markdown text={form.values.notes} />
        </Tabs.Panel>
      </Tabs>
    </PageForm>
  )
}
