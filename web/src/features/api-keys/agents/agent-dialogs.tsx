import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'

interface Named {
  id: string
  name: string
}

interface Props {
  /** Undefined while the dialog is closed. */
  agent: Named | undefined
  onClose: () => void
}

/** Keeps the name while the dialog closes. */
const useShown = (agent: Named | undefined): Named | undefined => {
  const last = useRef(agent)
  if (agent) last.current = agent
  return last.current
}

export const StopAgentDialog = ({ agent, onClose }: Props) => {
  const { id } = useOrganization()
  const shown = useShown(agent)
  const [reason, setReason] = useState('')
  const close = () => {
    setReason('')
    onClose()
  }
  const stop = useApiMutation(id, 'stopAgents', { invalidates: [[id, 'listAgents']], onSuccess: close })
  return (
    <ConfirmDialog
      opened={agent !== undefined}
      onClose={close}
      onConfirm={() =>
        shown && stop.mutate({ body: { agentId: shown.id, reason: reason.trim() || 'Stopped by hand' } })
      }
      title={`Stop ${shown?.name ?? ''}?`}
      confirmLabel="Stop agent"
      loading={stop.isPending}
      error={stop.error ? messageOf(stop.error) : undefined}
    >
      Its key is refused from now on, until someone starts the agent again.
      <TextInput
        mt="sm"
        label="Reason"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={500}
        autoComplete="off"
      />
    </ConfirmDialog>
  )
}

export const DeleteAgentDialog = ({ agent, onClose }: Props) => {
  const { id } = useOrganization()
  const shown = useShown(agent)
  const remove = useApiMutation(id, 'deleteAgent', { invalidates: [[id, 'listAgents']], onSuccess: () => onClose() })
  return (
    <ConfirmDialog
      opened={agent !== undefined}
      onClose={onClose}
      onConfirm={() => shown && remove.mutate({ params: { agentId: shown.id } })}
      title={`Delete ${shown?.name ?? ''}?`}
      confirmLabel="Delete agent"
      {...(shown && { typeToConfirm: shown.name })}
      loading={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
    >
      Its key is refused from now on. What it wrote stays, with its name. This can't be undone.
    </ConfirmDialog>
  )
}
