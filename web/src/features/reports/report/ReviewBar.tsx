import { Alert, Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import {
  type Report,
  REPORT_KIND_LABELS,
  REPORT_STATE_LABELS,
  type ReportState,
  ReportStateLabel,
  staleReportReads,
} from '../../../domain/reports/report-words.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconChevronDown } from '../../../ui/page-icons.tsx'
import classes from '../reports.module.css'

const NEXT: Partial<Record<ReportState, { state: ReportState; label: string }>> = {
  draft: { state: 'in_review', label: 'Send to review' },
  in_review: { state: 'approved', label: 'Approve' },
}
const BACK: Partial<Record<ReportState, readonly ReportState[]>> = {
  in_review: ['draft'],
  approved: ['in_review', 'draft'],
}

interface ReviewBarProps {
  report: Report
  mayChange: boolean
  save: () => Promise<void>
  onDeliver: () => void
}

/** Where a report is in its review, and the next step. A refused step says what is missing. */
export const ReviewBar = ({ report, mayChange, save, onDeliver }: ReviewBarProps) => {
  const organization = useOrganization()
  const [refusal, setRefusal] = useState<string>()
  const update = useApiMutation(organization.id, 'updateReport', {
    invalidates: staleReportReads(organization.id),
    onSuccess: () => setRefusal(undefined),
    onError: (error) => setRefusal(messageOf(error)),
  })
  const next = NEXT[report.state]
  const back = BACK[report.state] ?? []
  const set = (state: ReportState) =>
    void save().then(() => update.mutate({ params: { reportId: report.id }, body: { state } }))
  return (
    <>
      <div className={classes.review} role="group" aria-label="Review">
        <span className={classes.dimmed}>{REPORT_KIND_LABELS[report.kind]}</span>
        <ReportStateLabel state={report.state} />
        {report.approvedBy && <span className={classes.dimmed}>by {report.approvedBy.name}</span>}
        {mayChange && (
          <>
            {next && (
              <Button size="compact-sm" loading={update.isPending} onClick={() => set(next.state)}>
                {next.label}
              </Button>
            )}
            <Button size="compact-sm" {...(report.state !== 'approved' && { variant: 'default' })} onClick={onDeliver}>
              Deliver
            </Button>
            {back.length > 0 && (
              <DropdownMenu
                position="bottom-end"
                target={
                  <Button size="compact-sm" variant="default" rightSection={<IconChevronDown size={13} aria-hidden />}>
                    Change state
                  </Button>
                }
              >
                {back.map((state) => (
                  <Menu.Item key={state} onClick={() => set(state)}>
                    Back to {REPORT_STATE_LABELS[state].toLowerCase()}
                  </Menu.Item>
                ))}
              </DropdownMenu>
            )}
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
    </>
  )
}
