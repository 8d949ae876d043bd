import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { query } from '../../../api.ts'
import { ConflictView } from '../../../forms/ConflictView.tsx'
import { DraftNotice } from '../../../forms/DraftNotice.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useSend } from '../../../forms/use-send.ts'
import { useCommands } from '../../../ui/commands.ts'
import { FormElement } from '../../../ui/FormElement.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ApiRequest, staleRequests, usePlace } from '../place.tsx'
import { AddressBar } from './AddressBar.tsx'
import { RequestTabs } from './RequestTabs.tsx'
import classes from './request.module.css'
import { changesOf, LABELS, savedOf } from './request-values.ts'
import type { Execution } from './use-execution.ts'
import { useRequestKeys } from './use-request-keys.ts'

interface RequestFormProps {
  request: ApiRequest
  execution: Execution
  environmentId: string | undefined
}

/** A request as it is written. What is sent is what is saved: Send saves first. */
export const RequestForm = ({ request, execution, environmentId }: RequestFormProps) => {
  const { organizationId, mayWrite, notSent } = usePlace()
  const cache = useQueryClient()
  const params = { requestId: request.id }
  const update = useSend(organizationId, 'updateApiRequest', staleRequests(organizationId))
  const isSending = useRef(false)
  const form = useDraftForm({
    draft: `api-request/${request.id}`,
    saved: savedOf(request),
    secrets: ['secret'],
    send: (values, ifUpdatedAt) => update({ params, body: { ...changesOf(values, request), ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organizationId, 'getApiRequest', { params }))).data),
    onSaved: async () => {
      if (isSending.current) await execution.send(environmentId)
      else toast('The request was saved.')
    },
  })
  const isChanged = form.hasChanges || form.values.secret !== savedOf(request).values.secret
  const isBusy = execution.startedAt !== undefined
  const maySend = mayWrite && notSent === undefined && form.conflict === undefined
  const save = () => void (mayWrite && form.conflict === undefined && form.save())
  const send = async () => {
    if (!maySend || isBusy || form.isSaving || form.values.url.trim() === '') return
    if (!isChanged) return execution.send(environmentId)
    isSending.current = true
    await form.save()
    isSending.current = false
  }
  useRequestKeys({ onSave: save, onSend: () => void send() })
  useCommands(
    mayWrite
      ? [
          { id: 'send-request', label: 'Send the request (Ctrl+Enter)', group: 'This page', run: () => void send() },
          { id: 'save-request', label: 'Save the request (Ctrl+S)', group: 'This page', run: save },
        ]
      : [],
  )
  return (
    <FormElement formRef={form.ref} onSubmit={() => void send()} loading={isBusy || form.isSaving}>
      <Stack gap="md">
        <DraftNotice form={form} />
        <ConflictView form={form} labels={LABELS} />
        {mayWrite && notSent !== undefined && (
          <Alert color="gray" variant="light" p="xs">
            {notSent}
          </Alert>
        )}
        <div className={classes.bar}>
          <AddressBar form={form} folderId={request.folderId} isReadOnly={!mayWrite} />
          {mayWrite && (
            <Group gap="xs" wrap="nowrap">
              <Button type="submit" size="sm" loading={isBusy} disabled={!maySend || form.values.url.trim() === ''}>
                {isChanged ? 'Save and send' : 'Send'}
              </Button>
              <Button size="sm" variant="default" loading={form.isSaving} disabled={!isChanged || form.conflict !== undefined} onClick={save}>
                Save
              </Button>
            </Group>
          )}
        </div>
        <FormError message={form.message ?? execution.error} />
        <RequestTabs form={form} request={request} isReadOnly={!mayWrite} />
      </Stack>
    </FormElement>
  )
}
