import { Alert, Checkbox, TextInput } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import type { ChosenTargets } from '../../../domain/chosen-targets.ts'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import { UnscopedNotice, useIsUnscoped } from '../../../shell/banners/UnscopedNotice.tsx'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import type { Scanner } from '../labels.ts'
import { start as route } from '../scans.routes.ts'
import { staleAfterScans } from '../stale.ts'
import { Override } from './Override.tsx'
import { bodyOf, isOverridable, newScan, type ScanValues } from './scan-values.ts'
import { ScannersField } from './ScannersField.tsx'
import { TargetsField } from './TargetsField.tsx'
import { WithScanners } from './WithScanners.tsx'

/** Starts a scan: targets, scanners and options. The scan form sends traffic to the client's systems. */
export const NewScanPage = () => {
  const { slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const chosen = useRouterState({ select: ({ location }) => location.state.chosenTargets })
  return (
    <WithCrumbs crumbs={[{ label: 'Scans', to: paths.scans(slug, engagement.id) }]}>
      <Page title="New scan" documentTitle={`New scan · ${engagement.name}`} layout="form">
        <UnscopedNotice engagementId={engagement.id} />
        {isArchived ? (
          <Alert variant="light">Nothing is scanned in an archived engagement.</Alert>
        ) : (
          <WithScanners>{(scanners) => <NewScanForm scanners={scanners} chosen={chosen} />}</WithScanners>
        )}
      </Page>
    </WithCrumbs>
  )
}

const NewScanForm = ({ scanners, chosen }: { scanners: readonly Scanner[]; chosen: ChosenTargets | undefined }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const navigate = useNavigate()
  const { from } = route.useSearch()
  const isUnscoped = useIsUnscoped(engagement.id) ?? false
  const [refusal, setRefusal] = useState<string>()
  const [reason, setReason] = useState<string>()
  const place = { engagementId: engagement.id, isUnscoped, chosen }
  const send = useSend(organization.id, 'createScan', staleAfterScans(organization.id))
  const [saved] = useState(() => ({ values: startingFrom(scanners, chosen, from) }))
  const form = useDraftForm<ScanValues, Awaited<ReturnType<typeof send>>>({
    // An explicit selection of targets is not mixed with an earlier draft.
    ...(!chosen && from === undefined && { draft: `engagement/${engagement.id}/new-scan` }),
    saved,
    send: async (values) => {
      try {
        return await send({ body: bodyOf(values, place, reason) })
      } catch (error) {
        setRefusal(messageOf(error))
        throw error
      }
    },
    onSaved: ({ data }) => navigate({ to: paths.openScan(organization.slug, engagement.id, data.id) }),
  })
  const { values } = form
  const mayOverride = isAdmin(organization) && refusal !== undefined && isOverridable(refusal)
  return (
    <PageForm
      form={form}
      submitLabel={reason === undefined ? 'Start the scan' : 'Start despite the rules'}
      danger={reason !== undefined}
      disabled={values.scanners.length === 0 || reason?.trim() === ''}
    >
      <ScannersField
        scanners={scanners}
        value={values.scanners}
        onChange={(steps) => form.setFieldValue('scanners', steps)}
      />
      <TargetsField
        engagementId={engagement.id}
        isUnscoped={isUnscoped}
        chosen={chosen}
        values={values}
        onChange={(changes) => form.setValues(changes)}
      />
      <Checkbox
        label="Leave out what is out of scope"
        description="Otherwise one such target prevents the whole scan."
        {...form.getInputProps('skipsOutOfScope', { type: 'checkbox' })}
      />
      <TextInput
        label="Name"
        description="Generated from scanners and targets if empty."
        maxLength={200}
        {...form.getInputProps('name')}
      />
      {mayOverride && <Override reason={reason} onChange={setReason} />}
    </PageForm>
  )
}

const startingFrom = (
  scanners: readonly Scanner[],
  chosen: ChosenTargets | undefined,
  from: string | undefined,
): ScanValues => {
  const usual = newScan(scanners)
  if (chosen) return { ...usual, about: 'chosen' }
  return from === undefined ? usual : { ...usual, about: 'new', since: from }
}
