import { Alert, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../../api/api.ts'
import {
  FINDING_STATE_LABELS,
  type FindingState,
  FindingStateLabel,
  RemediationLabel,
  staleFindingReads,
} from '../../../../domain/finding-words.tsx'
import { SeverityLabel } from '../../../../domain/SeverityLabel.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { DropdownMenu } from '../../../../ui/dialogs/DropdownMenu.tsx'
import { IconChevronDown } from '../../../../ui/page-icons.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import classes from '../../findings.module.css'
import type { Finding } from '../../labels.ts'
import { ForcePublishDialog } from './ForcePublishDialog.tsx'

const NEXT: Partial<Record<FindingState, { state: FindingState; label: string }>> = {
  draft: { state: 'in_review', label: 'Send to review' },
  in_review: { state: 'approved', label: 'Approve' },
}
const BACK: Partial<Record<FindingState, readonly FindingState[]>> = {
  in_review: ['draft'],
  approved: ['in_review', 'draft'],
}

/** Where a finding is in its review, the next step, and whether guests see it. A refused step says what is missing. */
export const ReviewBar = ({ finding, mayChange }: { finding: Finding; mayChange: boolean }) => {
  const organization = useOrganization()
  const [refusal, setRefusal] = useState<string>()
  const [isForcing, setForcing] = useState(false)
  const labelOf = useFieldLabels()
  const params = { findingId: finding.id }
  const options = {
    invalidates: staleFindingReads(organization.id),
    onSuccess: () => setRefusal(undefined),
    onError: (error: Error) => setRefusal(withLabels(messageOf(error), labelOf)),
  }
  const update = useApiMutation(organization.id, 'updateFinding', options)
  const publish = useApiMutation(organization.id, 'publishFinding', options)
  const unpublish = useApiMutation(organization.id, 'unpublishFinding', options)
  const isBusy = update.isPending || publish.isPending || unpublish.isPending
  const next = NEXT[finding.state]
  const set = (state: FindingState) => update.mutate({ params, body: { state } })
  const isPublished = finding.publishedAt !== null
  return (
    <>
      <div className={classes.review} role="group" aria-label="Review">
        <SeverityLabel severity={finding.severity} />
        <RemediationLabel status={finding.status} />
        <FindingStateLabel state={finding.state} />
        {finding.publishedAt !== null && (
          <span>
            Published <TimeAgo iso={finding.publishedAt} />
          </span>
        )}
        {mayChange && (
          <>
            {next && (
              <Button size="compact-sm" loading={isBusy} onClick={() => set(next.state)}>
                {next.label}
              </Button>
            )}
            {finding.state === 'approved' && !isPublished && (
              <Button size="compact-sm" loading={isBusy} onClick={() => publish.mutate({ params, body: {} })}>
                Publish
              </Button>
            )}
            <DropdownMenu
              position="bottom-end"
              target={
                <Button size="compact-sm" variant="default" rightSection={<IconChevronDown size={13} aria-hidden />}>
                  Change state
                </Button>
              }
            >
              {(BACK[finding.state] ?? []).map((state) => (
                <Menu.Item key={state} onClick={() => set(state)}>
                  Back to {FINDING_STATE_LABELS[state].toLowerCase()}
                </Menu.Item>
              ))}
              {isPublished ? (
                <Menu.Item onClick={() => unpublish.mutate({ params })}>Unpublish</Menu.Item>
              ) : (
                finding.state !== 'approved' && (
                  <Menu.Item onClick={() => setForcing(true)}>Publish without approval</Menu.Item>
                )
              )}
            </DropdownMenu>
          </>
        )}
      </div>
      {refusal !== undefined && (
        <Alert
          color="yellow"
          variant="light"
          role="alert"
          w="100%"
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => setRefusal(undefined)}
        >
          {refusal}
        </Alert>
      )}
      {isForcing && <ForcePublishDialog finding={finding} onClose={() => setForcing(false)} />}
    </>
  )
}

/** Labels of the custom fields of findings, by key. */
const useFieldLabels = () => {
  const { id } = useOrganization()
  const { data } = useQuery({
    ...query(id, 'listFieldDefinitions', { query: { objectType: 'finding' } }),
    staleTime: 60_000,
  })
  return (key: string) => data?.data.find((definition) => definition.key === key)?.label ?? key
}

/** `fields.cost_center: is required before review.` → `Cost center is required before review.` */
const withLabels = (message: string, labelOf: (key: string) => string): string =>
  message.replace(/^fields\.([a-z0-9_]+): /, (_, key: string) => `${labelOf(key)} `)
