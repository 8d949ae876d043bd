import { Group, Radio, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import type { Scope } from '@sortie/contract/core/scopes.ts'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { type ChosenEngagements, EngagementChoice } from '../../shell/fields/EngagementChoice.tsx'
import { useHold } from '../../shell/proof/HeldDialog.tsx'
import { ShownOnce, ShownOnceDialog } from '../../shell/proof/ShownOnce.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'

type CreatedKey = Output<'createApiKey'>['data']

/** Initial values: a successor key starts with the scopes of its predecessor. */
export interface KeyStart {
  name: string
  scopes: readonly Scope[]
  environment: 'live' | 'test'
}

/** Asks for the key's settings, then shows its value. */
export const CreateKeyDialog = ({
  opened,
  onClose,
  start,
}: {
  opened: boolean
  onClose: () => void
  start: KeyStart
}) => (
  <ShownOnceDialog<CreatedKey>
    opened={opened}
    onClose={onClose}
    noun="key"
    title="Create API key"
    reminder="The value of the key is shown only once. Store it, then confirm below."
    ask={(onMade) => <CreateForm start={start} onClose={onClose} onCreated={onMade} />}
    show={({ name, value }, close) => (
      <ShownOnce value={value} label="Value of the key" noun="key" onClose={close}>
        This is the only time that the value of <b>{name}</b> is shown. Store it where it is needed: if it is lost,
        create another key.
      </ShownOnce>
    )}
  />
)

const CreateForm = ({
  start,
  onClose,
  onCreated,
}: {
  start: KeyStart
  onClose: () => void
  onCreated: (key: CreatedKey) => void
}) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'createApiKey', [[organization.id, 'listApiKeys']])
  const form = useDraftForm({
    draft: `organization/${organization.id}/new-key/${start.name}`,
    saved: { values: valuesOf(start) },
    send: ({ engagementIds, ...values }) => send({ body: { ...values, ...engagementsOf(engagementIds) } }),
    onSaved: ({ data }) => onCreated(data),
  })
  useHold(form.isSaving)
  const { name, scopes, engagementIds } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Create key"
      onCancel={onClose}
      error={form.errors.scopes as string | undefined}
      disabled={!name.trim() || scopes.length === 0 || engagementIds?.length === 0}
    >
      <TextInput
        label="Name"
        description="Name the integration, so that you know later whether the key can be deleted."
        placeholder="ci-pipeline"
        maxLength={100}
        {...form.getInputProps('name')}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group
        label="Environment"
        description="Prefix of the key's value; both access the same data."
        {...form.getInputProps('environment')}
      >
        <Group gap="md" mt={6}>
          <Radio value="live" label="Live" />
          <Radio value="test" label="Test" />
        </Group>
      </Radio.Group>
      <ScopeChoice chosen={scopes} onChange={(chosen) => form.setFieldValue('scopes', chosen)} />
      <EngagementChoice
        value={engagementIds}
        onChange={(value) => form.setFieldValue('engagementIds', value)}
        listedHint="The key sees nothing else of the organization’s work."
        error={form.errors.engagementIds as string | undefined}
      />
    </DraftDialogForm>
  )
}

type KeyValues = Omit<KeyStart, 'scopes'> & { scopes: Scope[]; engagementIds: ChosenEngagements }

const valuesOf = (start: KeyStart): KeyValues => ({ ...start, scopes: [...start.scopes], engagementIds: 'open' })

const engagementsOf = (chosen: ChosenEngagements) =>
  chosen === undefined ? {} : { engagementIds: chosen === 'open' ? ('open' as const) : [...chosen] }
