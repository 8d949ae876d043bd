import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { ConflictView } from '../../../forms/conflict/ConflictView.tsx'
import { DraftNotice } from '../../../forms/drafts/DraftNotice.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { FormElement } from '../../../ui/fields/FormElement.tsx'
import { FormError } from '../../../ui/fields/FormError.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { variableOf } from '../answer/values/json-text.ts'
import type { ValueActions } from '../answer/values/value-actions.ts'
import { ChooseEngagement, useOverride } from '../override.tsx'
import { type ApiRequest, type Environment, isNew, staleRequests, usePlace } from '../place.tsx'
import { AddressBar } from './AddressBar.tsx'
import { changesOf, LABELS, nameOf, savedOf, textOf, unsavedOf } from './request-values.ts'
import classes from './request.module.css'
import { RequestTabs } from './RequestTabs.tsx'
import type { Execution } from './use-execution.ts'
import { useRequestKeys } from './use-request-keys.ts'
import { VariableCompletion } from './VariableCompletion.tsx'

interface RequestFormProps {
  request: ApiRequest
  execution: Execution
  environment: Environment | undefined
  /** Receives what this form does with a value of the response, at each render. */
  onActions: (actions: ValueActions) => void
  /** Called after a new request was saved. */
  onCreated?: (requestId: string) => void
}

/** Request editor. Send uses the current values, saved or not, and saves nothing. */
export const RequestForm = ({ request, execution, environment, onActions, onCreated }: RequestFormProps) => {
  const { organizationId, engagementId, mayWrite, notSent, isFromLibrary } = usePlace()
  const override = useOverride(isNew(request) ? undefined : request.id)
  const cache = useQueryClient()
  const params = { requestId: request.id }
  const update = useSend(organizationId, 'updateApiRequest', staleRequests(organizationId))
  const create = useSend(organizationId, 'createApiRequest', staleRequests(organizationId))
  const form = useDraftForm({
    draft: `api-request/${isNew(request) ? (engagementId ?? organizationId) : request.id}`,
    saved: savedOf(request),
    secrets: ['secret'],
    send: (values, ifUpdatedAt) =>
      isNew(request)
        ? create({ body: { engagementId, name: nameOf(values.url), ...changesOf(values, request) } })
        : update({ params, body: { ...changesOf(values, request), ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organizationId, 'getApiRequest', { params }))).data),
    onSaved: ({ data }) => {
      toast('Request saved.')
      if (isNew(request)) onCreated?.(data.id)
    },
  })
  const isUnsaved = isNew(request) || form.hasChanges || form.values.secret !== savedOf(request).values.secret
  const isBusy = execution.startedAt !== undefined
  const isEmpty = form.values.url.trim() === ''
  const maySend = mayWrite && notSent === undefined && !isEmpty
  const maySave = mayWrite && form.conflict === undefined && !isEmpty
  const save = () => void (maySave && form.save())
  const send = () => {
    if (!maySend || isBusy || form.isSaving) return
    const unsaved = isUnsaved ? unsavedOf(form.values, request) : undefined
    override.ask((how) => void execution.send(environment?.id, unsaved, how))
  }
  useRequestKeys({ onSave: save, onSend: send })
  const [tab, setTab] = useState<string | null>(form.values.body.mode === 'none' ? 'query' : 'body')
  const { captures, assertions } = form.values
  useEffect(() => {
    onActions({
      capture: (value) => {
        form.setFieldValue('captures', [...captures, { variable: variableOf(value), from: 'json', path: value.path }])
        setTab('tests')
      },
      assert: ({ path, json }) => {
        form.setFieldValue('assertions', [
          ...assertions,
          { subject: 'json', operator: 'equals', path, value: textOf(JSON.parse(json)) },
        ])
        setTab('tests')
      },
    })
  })
  const names = [
    ...new Set([
      ...(environment?.variables ?? []).map(({ name }) => name),
      ...captures.map(({ variable }) => variable),
    ]),
  ].filter(Boolean)
  useShortcuts(
    mayWrite
      ? [
          { id: 'send-request', label: 'Send the request (Ctrl+Enter)', group: 'This page', run: send },
          { id: 'save-request', label: 'Save the request (Ctrl+S)', group: 'This page', run: save },
        ]
      : [],
  )
  return (
    <>
      <FormElement formRef={form.ref} onSubmit={send} loading={isBusy || form.isSaving}>
        <Stack gap="md">
          <DraftNotice form={form} />
          <ConflictView form={form} labels={LABELS} />
          {mayWrite && notSent !== undefined && (
            <Alert color="gray" variant="light" p="xs">
              {notSent}
              {engagementId === null &&
                (isNew(request) ? ' Save it first.' : <ChooseEngagement objectId={request.id} />)}
            </Alert>
          )}
          <div className={classes.bar}>
            <AddressBar
              form={form}
              folderId={isFromLibrary(request) ? null : request.folderId}
              isReadOnly={!mayWrite}
            />
            {mayWrite && (
              <Group gap="xs" wrap="nowrap">
                <Button type="submit" size="sm" loading={isBusy} disabled={!maySend}>
                  Send
                </Button>
                <Button
                  size="sm"
                  variant="default"
                  loading={form.isSaving}
                  disabled={!isUnsaved || !maySave}
                  onClick={save}
                >
                  Save
                </Button>
              </Group>
            )}
          </div>
          {mayWrite && isUnsaved && !isEmpty && (
            <Text size="xs" c="dimmed">
              {isNew(request) ? 'This request is not saved yet.' : 'There are unsaved changes.'} Ctrl+Enter sends it as
              it is, Ctrl+S saves it.
            </Text>
          )}
          <FormError message={form.message ?? execution.error} />
          <RequestTabs form={form} request={request} isReadOnly={!mayWrite} tab={tab} onTab={setTab} />
        </Stack>
      </FormElement>
      <VariableCompletion within={form.ref} names={names} />
      {override.dialog}
    </>
  )
}
