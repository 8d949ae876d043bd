import { Alert, Button, Checkbox, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import type { Scope } from '@sortie/contract/scopes.ts'
import { useState } from 'react'
import { formErrors, useCommand } from '../../api.ts'
import { HeldDialog, useHold } from '../../shell/HeldDialog.tsx'
import { useOrganization } from '../../shell/organization.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { SecretValue } from '../../ui/SecretValue.tsx'
import classes from './api-keys.module.css'
import { EngagementChoice, type KeyEngagements } from './EngagementChoice.tsx'
import { EVERYTHING, explain, READ_ONLY, SCOPE_GROUPS } from './scopes.ts'

type CreatedKey = Output<'createApiKey'>['data']

/** What the form starts from: a successor has the scopes of its predecessor. */
export interface KeyStart {
  name: string
  scopes: readonly Scope[]
  environment: 'live' | 'test'
}

/** First the choice, then the value: it lives in this dialog's state alone and goes with it. */
export const CreateKeyDialog = ({ opened, onClose, start }: { opened: boolean; onClose: () => void; start: KeyStart }) => {
  const [created, setCreated] = useState<CreatedKey>()
  const close = () => {
    setCreated(undefined)
    onClose()
  }
  return (
    <HeldDialog
      opened={opened}
      onClose={close}
      title={created ? 'Copy the key now' : 'Create API key'}
      size="lg"
      reminder="The value of the key is shown only here. Store it, then say so below."
    >
      {created ? <CreatedView created={created} onClose={close} /> : <CreateForm start={start} onClose={close} onCreated={setCreated} />}
    </HeldDialog>
  )
}

const CreateForm = ({ start, onClose, onCreated }: { start: KeyStart; onClose: () => void; onCreated: (key: CreatedKey) => void }) => {
  const organization = useOrganization()
  const [name, setName] = useState(start.name)
  const [environment, setEnvironment] = useState(start.environment)
  const [engagements, setEngagements] = useState<KeyEngagements>('open')
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(start.scopes))
  const create = useCommand(organization.id, 'createApiKey', {
    invalidates: [[organization.id, 'listApiKeys']],
    onSuccess: ({ data }) => onCreated(data),
  })
  useHold(create.isPending)
  const errors = create.error ? formErrors(create.error, ['name', 'scopes', 'engagementIds']) : { fields: {} }
  const toggle = (scope: Scope, wanted: boolean) => {
    const next = new Set(scopes)
    if (wanted) next.add(scope)
    else next.delete(scope)
    setScopes(next)
  }
  return (
    <DialogForm
      submitLabel="Create key"
      onSubmit={() => create.mutate({ body: { name, environment, scopes: EVERYTHING.filter((scope) => scopes.has(scope)), ...engagementsOf(engagements) } })}
      onCancel={onClose}
      error={errors.form ?? errors.fields.scopes}
      loading={create.isPending}
      disabled={!name.trim() || scopes.size === 0 || engagements?.length === 0}
    >
      <TextInput
        label="Name"
        description="What uses it, so that you know later what may be deleted."
        placeholder="ci-pipeline"
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.fields.name}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group
        label="Environment"
        description="A label that its value begins with; both see the same data."
        value={environment}
        onChange={(value) => setEnvironment(value)}
      >
        <Group gap="md" mt={6}>
          <Radio value="live" label="Live" />
          <Radio value="test" label="Test" />
        </Group>
      </Radio.Group>
      <Stack gap={4} role="group" aria-label="Scopes">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={500}>
            Scopes
          </Text>
          <Group gap={6}>
            <Button variant="default" size="compact-xs" onClick={() => setScopes(new Set(READ_ONLY))}>
              Read-only
            </Button>
            <Button variant="default" size="compact-xs" onClick={() => setScopes(new Set(EVERYTHING))}>
              Everything
            </Button>
            <Button variant="default" size="compact-xs" onClick={() => setScopes(new Set())}>
              None
            </Button>
          </Group>
        </Group>
        <Text size="xs" c="dimmed">
          They stay as chosen here: another choice means another key.
        </Text>
        {SCOPE_GROUPS.map(({ title, read, write }) => (
          <fieldset key={title} className={classes.scopeGroup}>
            <legend>{title}</legend>
            <div>
              <Stack gap={6}>
                {[read, write].map((scope) => (
                  <Checkbox
                    key={scope}
                    label={explain(scope)}
                    description={scope}
                    checked={scopes.has(scope)}
                    onChange={(event) => toggle(scope, event.currentTarget.checked)}
                  />
                ))}
              </Stack>
            </div>
          </fieldset>
        ))}
      </Stack>
      <EngagementChoice value={engagements} onChange={setEngagements} error={errors.fields.engagementIds} />
    </DialogForm>
  )
}

const engagementsOf = (chosen: KeyEngagements) => (chosen === undefined ? {} : { engagementIds: chosen === 'open' ? ('open' as const) : [...chosen] })

const CreatedView = ({ created, onClose }: { created: CreatedKey; onClose: () => void }) => {
  useHold()
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">
        This is the only time that the value of <b>{created.name}</b> is shown. Put it where it is needed now: if it is lost, make another key.
      </Alert>
      <SecretValue value={created.value} label="Value of the key" />
      <Group justify="flex-end" gap="xs">
        <CopyButton value={created.value} label="Copy key" />
        <Button onClick={onClose} data-autofocus>
          I have stored it
        </Button>
      </Group>
    </Stack>
  )
}
