import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { type Scope, scopesOfRole } from '@sortie/contract/core/scopes.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { EngagementList } from '../../../shell/fields/EngagementChoice.tsx'
import { useHold } from '../../../shell/proof/HeldDialog.tsx'
import { ShownOnce, ShownOnceDialog } from '../../../shell/proof/ShownOnce.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { endOf, EXPIRIES, type Expiry } from '../device/expiry.ts'
import { ScopeChoice } from '../ScopeChoice.tsx'

type CreatedAgent = Output<'createAgent'>['data']

/** Asks for the settings of an agent, then shows its key. */
export const CreateAgentDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <ShownOnceDialog<CreatedAgent>
    opened={opened}
    onClose={onClose}
    noun="key"
    title="Create agent"
    reminder="The key of the agent is shown only once. Store it, then confirm below."
    ask={(onMade) => <CreateForm onClose={onClose} onCreated={onMade} />}
    show={({ name, value }, close) => (
      <ShownOnce value={value} label="Key of the agent" noun="key" onClose={close}>
        This is the only time that the key of <b>{name}</b> is shown. If it is lost, create another agent.
      </ShownOnce>
    )}
  />
)

type Values = {
  name: string
  description: string
  model: string
  engagementIds: string[]
  scopes: Scope[]
  days: Expiry
}

const START: Values = { name: '', description: '', model: '', engagementIds: [], scopes: [], days: '30' }

const CreateForm = ({ onClose, onCreated }: { onClose: () => void; onCreated: (agent: CreatedAgent) => void }) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'createAgent', [
    [organization.id, 'listAgents'],
    [organization.id, 'listApiKeys'],
  ])
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-agent`,
    saved: { values: START },
    send: ({ days, ...values }: Values) => send({ body: { ...values, expiresAt: endOf(days) } }),
    onSaved: ({ data }) => onCreated(data),
  })
  useHold(form.isSaving)
  const { name, scopes, engagementIds, days } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create agent"
      onCancel={onClose}
      error={(form.errors.scopes ?? form.errors.engagementIds) as string | undefined}
      disabled={!name.trim() || scopes.length === 0 || engagementIds.length === 0}
    >
      <TextInput
        label="Name"
        description="What it writes is signed with this name."
        placeholder="recon-1"
        maxLength={100}
        {...form.getInputProps('name')}
        autoComplete="off"
        data-autofocus
      />
      <Textarea label="Description" autosize minRows={2} maxLength={2_000} {...form.getInputProps('description')} />
      <TextInput label="Model" maxLength={100} {...form.getInputProps('model')} autoComplete="off" />
      <Stack gap={4}>
        <EngagementList chosen={engagementIds} onChange={(ids) => form.setFieldValue('engagementIds', [...ids])} />
        <Text size="xs" c="dimmed">
          The agent sees nothing else. Leads choose from the engagements that they lead.
        </Text>
      </Stack>
      <ScopeChoice
        chosen={scopes}
        offered={scopesOfRole(organization.role).filter((scope) => !scope.startsWith('organizations:'))}
        onChange={(chosen) => form.setFieldValue('scopes', chosen)}
      />
      <Choice
        label="Ends"
        value={days}
        data={EXPIRIES}
        onChange={(chosen: Expiry) => form.setFieldValue('days', chosen)}
      />
    </DraftDialogForm>
  )
}
