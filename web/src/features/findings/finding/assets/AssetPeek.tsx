import { Alert, Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { messageOf, useApiMutation } from '../../../../api/api.ts'
import { useSend } from '../../../../api/use-send.ts'
import { REMEDIATION_LABELS, RemediationLabel, staleFindingReads } from '../../../../domain/finding-words.tsx'
import { PageForm } from '../../../../forms/Form.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { DateField } from '../../../../ui/dates/DateField.tsx'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { Properties } from '../../../../ui/lists/Properties.tsx'
import { toastError } from '../../../../ui/toasts/toast.ts'
import { CopyId } from '../../../../ui/values/CopyId.tsx'
import { optionsOf } from '../../../../ui/values/options-of.ts'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import classes from '../../findings.module.css'
import { type AffectedAsset, CLIENT_STATE_LABELS, type ClientState } from '../../labels.ts'
import { reportReturn } from '../../use-set-finding.ts'

interface AssetPeekProps {
  asset: AffectedAsset
  mayChange: boolean
  /** Called after it was removed. */
  onGone: () => void
}

/** One affected asset: its line, status, note, the client's answer, and its results. */
export const AssetPeek = ({ asset, mayChange, onGone }: AssetPeekProps) => {
  const organization = useOrganization()
  const remove = useApiMutation(organization.id, 'deleteAffected', {
    invalidates: staleFindingReads(organization.id),
    onSuccess: ({ meta }) => {
      reportReturn(meta)
      onGone()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Stack gap="lg">
      <Title order={2} pr="xl" className={classes.title}>
        {asset.asset}
      </Title>
      {mayChange && asset.suggestedStatus && <Suggested asset={asset} status={asset.suggestedStatus} />}
      {mayChange ? <AssetForm asset={asset} /> : <RemediationLabel status={asset.status} />}
      <Properties
        items={[
          ...(!mayChange && asset.note ? ([['Note', asset.note]] as const) : []),
          ...(asset.targetId
            ? ([
                [
                  'Target',
                  <TextLink key="target" to={`/o/${organization.slug}/targets/${asset.targetId}`}>
                    Open the target
                  </TextLink>,
                ],
              ] as const)
            : []),
          ...asset.resultIds.map(
            (id, index) =>
              [
                asset.resultIds.length === 1 ? 'Result' : `Result ${index + 1}`,
                <TextLink key={id} to={paths.result(organization.slug, id)}>
                  Open the result
                </TextLink>,
              ] as const,
          ),
          ['Added', <TimeAgo key="added" iso={asset.createdAt} />],
          ['Id', <CopyId key="id" id={asset.id} />],
        ]}
      />
      {mayChange && (
        <Group>
          <Button
            variant="default"
            loading={remove.isPending}
            onClick={() => remove.mutate({ params: { affectedId: asset.id } })}
          >
            Remove from the finding
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** What the results of an asset suggest: they never change it. */
const Suggested = ({
  asset,
  status,
}: {
  asset: AffectedAsset
  status: NonNullable<AffectedAsset['suggestedStatus']>
}) => {
  const organization = useOrganization()
  const update = useApiMutation(organization.id, 'updateAffected', {
    invalidates: staleFindingReads(organization.id),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Alert color="blue" variant="light" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {asset.resultIds.length === 1 ? 'Its result is fixed or gone.' : 'All of its results are fixed or gone.'}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={update.isPending}
          onClick={() =>
            update.mutate({ params: { affectedId: asset.id }, body: { status, ifUpdatedAt: asset.updatedAt } })
          }
        >
          Set to {REMEDIATION_LABELS[status].toLowerCase()}
        </Button>
      </Group>
    </Alert>
  )
}

const clientOf = (status: AffectedAsset['clientStatus']): ClientState | '' => status?.state ?? ''

const savedOf = ({ asset, status, note, clientStatus, updatedAt }: AffectedAsset) => ({
  values: {
    asset,
    status,
    note,
    client: clientOf(clientStatus),
    until: clientStatus?.until ?? '',
    reason: clientStatus?.reason ?? '',
  },
  version: updatedAt,
})

const AssetForm = ({ asset }: { asset: AffectedAsset }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const send = useSend(organization.id, 'updateAffected', staleFindingReads(organization.id))
  const form = useDraftForm({
    draft: `affected/${asset.id}`,
    saved: savedOf(asset),
    send: ({ client, until, reason, ...values }, ifUpdatedAt) =>
      send({
        params: { affectedId: asset.id },
        body: {
          ...values,
          clientStatus: client === '' ? null : { state: client, until: until || null, reason },
          ...(ifUpdatedAt && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    onSaved: async ({ meta }) => {
      reportReturn(meta)
      await Promise.all(staleFindingReads(organization.id).map((queryKey) => cache.invalidateQueries({ queryKey })))
    },
  })
  return (
    <PageForm form={form} submitLabel="Save" disabled={!form.hasChanges}>
      <TextInput label="Asset" maxLength={1_000} spellCheck={false} {...form.getInputProps('asset')} />
      <Choice label="Status" data={optionsOf(REMEDIATION_LABELS)} {...form.getInputProps('status')} />
      <Textarea label="Note" autosize minRows={2} maxRows={6} maxLength={500} {...form.getInputProps('note')} />
      <Choice
        label="Answer of the client"
        data={[{ value: '', label: 'None' }, ...optionsOf(CLIENT_STATE_LABELS)]}
        {...form.getInputProps('client')}
      />
      {form.values.client !== '' && (
        <>
          <DateField label="Until" {...form.getInputProps('until')} />
          <TextInput label="Reason of the client" maxLength={500} {...form.getInputProps('reason')} />
        </>
      )}
    </PageForm>
  )
}
