import { Button, Checkbox, PasswordInput, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import {
  FORMAT_LABELS,
  FORMATS,
  type RenderFormat,
  type Report,
  REPORT_STATE_LABELS,
  staleReportReads,
} from '../../../domain/reports/report-words.tsx'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { blockingProblems } from '../checks/problems.ts'
import classes from './editions.module.css'

interface DeliverDialogProps {
  report: Report
  onClose: () => void
  onShowChecks: () => void
  onDelivered: () => void
}

/** Creates an edition: files that never change. What blocks it is shown before it is sent. */
export const DeliverDialog = (props: DeliverDialogProps) => (
  <Dialog opened onClose={props.onClose} title={`Deliver edition ${(props.report.latestEdition ?? 0) + 1}`}>
    <DeliverForm {...props} />
  </Dialog>
)

const DeliverForm = ({ report, onClose, onShowChecks, onDelivered }: DeliverDialogProps) => {
  const { id } = useOrganization()
  const params = { reportId: report.id }
  const checked = useQuery(query(id, 'checkReport', { params }))
  const checks = checked.data?.data
  const errors = blockingProblems(checks ?? []).length
  /** Why it is not known whether there are errors; undefined while the checks run. */
  const checkFailure =
    checks === undefined && checked.error && !checked.isFetching ? messageOf(checked.error) : undefined
  const send = useSend(id, 'deliverReport', [...staleReportReads(id), [id, 'listReportEditions']])
  const form = useDraftForm({
    saved: { values: { formats: ['pdf'] as RenderFormat[], note: '', sign: false, password: '' } },
    secrets: ['password'],
    send: ({ formats, note, sign, password }) => {
      const hasPdf = formats.includes('pdf')
      const options = { ...(hasPdf && sign && { sign }), ...(hasPdf && password !== '' && { password }) }
      return send({ params, body: { formats, note: note.trim(), ...options } })
    },
    onSaved: ({ data }) => {
      toast(`Delivered edition ${data.number}.`)
      onDelivered()
    },
  })
  const read = useQuery(query(id, 'getSigningCertificate'))
  const certificate = read.data?.data.certificate
  const { password } = form.values
  const hasPdf = form.values.formats.includes('pdf')
  const isApproved = report.state === 'approved'
  const barred = !isApproved
    ? 'Approve the report first.'
    : errors > 0
      ? 'Fix or waive the errors first.'
      : form.values.formats.length === 0
        ? 'Choose at least one format.'
        : hasPdf && password !== '' && password.length < MIN_PASSWORD
          ? `A password has at least ${MIN_PASSWORD} characters.`
          : false
  return (
    <DraftDialogForm form={form} submitLabel="Deliver" onCancel={onClose} disabled={barred}>
      <ul className={classes.conditions} aria-label="Conditions of a delivery">
        <li>
          <StatusLabel tone={isApproved ? 'good' : 'bad'}>
            {isApproved
              ? `Approved${report.approvedBy ? ` by ${report.approvedBy.name}` : ''}`
              : `Not approved: the report is ${stateIn(report.state)}`}
          </StatusLabel>
        </li>
        <li>
          <StatusLabel tone={checks === undefined && !checkFailure ? 'busy' : errors === 0 && checks ? 'good' : 'bad'}>
            {checks === undefined
              ? (checkFailure ?? 'Checks are running')
              : errors === 0
                ? 'No open errors'
                : errors === 1
                  ? '1 error is neither fixed nor waived'
                  : `${errors} errors are neither fixed nor waived`}
          </StatusLabel>
          {checkFailure !== undefined && (
            <Button variant="subtle" size="compact-xs" onClick={() => void checked.refetch()}>
              Check again
            </Button>
          )}
          {errors > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={onShowChecks}>
              Show checks
            </Button>
          )}
        </li>
      </ul>
      <Checkbox.Group label="Formats" {...form.getInputProps('formats')}>
        <Stack gap={6} mt={6}>
          {FORMATS.map((format) => (
            <Checkbox key={format} value={format} label={FORMAT_LABELS[format]} />
          ))}
        </Stack>
      </Checkbox.Group>
      {hasPdf && (
        <>
          <Checkbox
            label="Sign the PDF file"
            description={
              certificate
                ? `As ${certificate.subject}.`
                : read.data
                  ? 'The organization has no certificate yet. Owner and admins upload it in the settings of reports.'
                  : read.error
                    ? messageOf(read.error)
                    : 'Its certificate is being read.'
            }
            disabled={!certificate}
            {...form.getInputProps('sign', { type: 'checkbox' })}
          />
          <PasswordInput
            label="Password of the PDF file"
            description="Optional. It is not stored: note it yourself. A file with a password is not PDF/A."
            autoComplete="new-password"
            maxLength={127}
            {...form.getInputProps('password')}
          />
        </>
      )}
      <Textarea
        label="Note"
        description="Shown with the edition, not in its files."
        placeholder="First version for the client"
        maxLength={500}
        autosize
        minRows={2}
        {...form.getInputProps('note')}
      />
      <Text size="sm" c="dimmed">
        {form.isSaving
          ? 'The files are being rendered. This can take a minute.'
          : 'The files never change, and carry no watermark. The report continues as a draft of the next edition.'}
      </Text>
    </DraftDialogForm>
  )
}

/** Characters. */
const MIN_PASSWORD = 8

const stateIn = (state: Report['state']): string =>
  state === 'draft' ? 'a draft' : REPORT_STATE_LABELS[state].toLowerCase()
