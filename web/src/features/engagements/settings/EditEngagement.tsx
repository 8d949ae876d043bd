import { Alert, Button, Group, Stack, Tabs, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formErrors, isRefused, query, useCommand } from '../../../api.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { Page } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Engagement } from '../engagement.tsx'

/** Changes name and description. When somebody else was faster, nothing is overwritten: both versions are shown. */
export const EditEngagement = ({ engagement, onDone }: { engagement: Engagement; onDone: () => void }) => {
  const organization = useOrganization()
  const [name, setName] = useState(engagement.name)
  const [description, setDescription] = useState(engagement.description)
  const [basedOn, setBasedOn] = useState(engagement.updatedAt)
  const current = useQuery(query(organization.id, 'getEngagement', { params: { engagementId: engagement.id } }))
  const save = useCommand(organization.id, 'updateEngagement', {
    invalidates: [
      [organization.id, 'getEngagement'],
      [organization.id, 'listEngagements'],
    ],
    onSuccess: () => {
      toast('Saved.')
      onDone()
    },
  })
  const stale = isRefused(save.error, 'CONFLICT')
  const errors = save.error && !stale ? formErrors(save.error, ['name', 'description']) : { fields: {} }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ params: { engagementId: engagement.id }, body: { name, description, ifUpdatedAt: basedOn } })
  }
  return (
    <Page title={`Edit ${engagement.name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput label="Name" value={name} maxLength={200} onChange={(event) => setName(event.currentTarget.value)} error={errors.fields.name} />
          <Tabs defaultValue="write" keepMounted={false}>
            <Tabs.List mb="xs">
              <Tabs.Tab value="write">Write</Tabs.Tab>
              <Tabs.Tab value="preview">Preview</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="write">
              <Textarea
                label="Description"
                description="Markdown"
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
                error={errors.fields.description}
                autosize
                minRows={12}
                maxRows={40}
              />
            </Tabs.Panel>
            <Tabs.Panel value="preview">
              <Markdown text={description} />
            </Tabs.Panel>
          </Tabs>
          {stale && current.data && (
            <Alert color="yellow" variant="light" role="alert" title="Somebody else changed this engagement meanwhile">
              <Stack gap="sm" align="flex-start">
                <div>Your text is still in the fields above. This is what is saved now:</div>
                <Textarea label="Saved now" value={current.data.data.description} readOnly autosize maxRows={12} w="100%" />
                <Button
                  variant="default"
                  onClick={() => {
                    setBasedOn(current.data.data.updatedAt)
                    save.reset()
                  }}
                >
                  I have taken over what I need: let me save mine
                </Button>
              </Stack>
            </Alert>
          )}
          <FormError message={errors.form} />
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={!name.trim() || stale}>
              Save
            </Button>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
